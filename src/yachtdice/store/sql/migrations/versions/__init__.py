"""One file a step, in the order of their numbers; what was released is never changed again."""
