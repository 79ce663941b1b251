/* What the pages can do beyond forms and links: keys, focus, speech, live updates that never go back.
   Everything here is a comfort; each page works without it. No control waits for a timer or a picture. */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const live = () => byId("live");
  document.documentElement.classList.add("js");

  /* ---- speech: one polite region, once for each event ---- */

  const newest = () => Math.max(-1e9, ...[...document.querySelectorAll("#says li")].map((li) => +li.dataset.number));
  let spoken = newest();

  function speak(text) {
    const region = byId("say");
    region.textContent = "";
    // In a task of its own, so that the same words twice are two changes.
    setTimeout(() => { region.textContent = text; });
  }

  function speakNews() {
    const message = byId("message");
    const lines = [...document.querySelectorAll("#says li")].filter((li) => +li.dataset.number > spoken);
    const words = lines.map((li) => li.textContent);
    if (message) words.unshift(message.textContent);
    spoken = Math.max(spoken, newest());
    if (words.length) speak(words.join(" "));
  }

  /* ---- updates: never an older state over a newer one, and focus stays where the hand is ---- */

  let held = null;

  function remember() {
    const active = document.activeElement;
    held = live() && live().contains(active) ? { id: active.id, key: active.dataset.key } : null;
  }

  function refocus() {
    if (!held || (document.activeElement && document.activeElement !== document.body)) return;
    const same = held.id && byId(held.id);
    const die = held.key && document.querySelector(`#tray [data-key="${held.key}"]`);
    const next = same || die || byId("sure") || byId("roll") || byId("begin") || document.querySelector(".padkey");
    if (next) next.focus({ preventScroll: true });
  }

  function stateIn(text) {
    const found = /data-version="(\d+)" data-absent="(\d+)"/.exec(text);
    return found && { version: +found[1], absent: found[2] };
  }

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    // htmx keeps no history here: a page that can be loaded by its address needs no snapshots.
    if (ctx.sourceElement && ctx.sourceElement.hasAttribute("hx-replace-url")) {
      history.replaceState(history.state, "", ctx.request.action);
    } else if (ctx.request.method === "POST" && location.search) {
      // What was in the hand is done.
      history.replaceState(history.state, "", location.pathname);
    }
    const now = live();
    const coming = stateIn(ctx.text || "");
    if (!now || !coming) return;
    const version = +now.dataset.version;
    const pushed = ctx.sourceElement && ctx.sourceElement.id === "stream";
    // What is pushed knows nothing of a question that is open here: only real news may replace it.
    const old = coming.version < version ||
      (pushed && coming.version === version && coming.absent === now.dataset.absent);
    if (old) {
      event.preventDefault();
      return;
    }
    if (now.dataset.seated === "1" && /data-seated="0"/.test(ctx.text)) byId("removed").hidden = false;
    remember();
  });

  document.addEventListener("htmx:after:swap", () => {
    refocus();
    speakNews();
    const status = document.querySelector(".status");
    if (status) document.title = document.title.replace(/^[^·]*·/, `${status.textContent} ·`);
    showMover();
    showStep();
  });

  /* With many columns the mover's is brought into view in case the style sheet cannot keep it there. */
  function showMover() {
    const scroll = document.querySelector(".scroll");
    const mover = document.querySelector("thead .mover");
    if (!scroll || !mover || scroll.scrollWidth <= scroll.clientWidth) return;
    if (getComputedStyle(mover).position === "sticky") return;
    scroll.scrollLeft += mover.getBoundingClientRect().left - scroll.getBoundingClientRect().left - scroll.clientWidth / 2;
  }

  /* In a replay the story follows, inside its own box. */
  function showStep() {
    const here = document.querySelector(".whole .here");
    const box = here && here.closest(".story");
    if (box && box.scrollHeight > box.clientHeight) {
      box.scrollTop += here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
    }
  }

  /* ---- the line to the server ---- */

  let lostTimer = 0;

  function lost(soon) {
    if (!byId("lost") || lostTimer) return;
    lostTimer = setTimeout(() => { byId("lost").hidden = false; }, soon ? 0 : 1500);
  }

  function found() {
    clearTimeout(lostTimer);
    lostTimer = 0;
    if (byId("lost")) byId("lost").hidden = true;
  }

  document.addEventListener("htmx:sse:error", () => lost(false));
  document.addEventListener("htmx:sse:after:connection", found);
  document.addEventListener("htmx:error", () => lost(true));
  document.addEventListener("htmx:after:request", (event) => { if (event.detail.ctx.response.status < 500) found(); });
  document.addEventListener("htmx:response:error", (event) => {
    const status = event.detail.ctx.response.status;
    // Gone, forbidden, too fast: the server has a page for each that says what to do next.
    if (event.detail.ctx.request.method === "GET" && status !== 429 && status < 500) location.reload();
    else if (status === 403 || status === 404 || status === 410) location.reload();
    else lost(true);
  });
  window.addEventListener("offline", () => lost(true));
  window.addEventListener("online", () => {
    const stream = byId("stream");
    const connection = stream && stream._htmx && stream._htmx.sse;
    if (!connection) found();
    // The old line may look open and be dead: begin anew, and at once.
    else if (connection.delayCanceller) connection.delayCanceller();
    else if (connection.reader) connection.reader.cancel();
  });
  // A page from the browser's memory may show an old state, and its stream has ended.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  /* ---- real dice: a tap a die, without waiting for the server ---- */

  function type(face) {
    const box = byId("typing");
    if (!box) return false;
    const before = box.dataset.dice;
    const after = face === "back" ? before.slice(0, -1) : (before + face).slice(0, 5);
    if (after === before) return true;
    const address = box.dataset.at + (after ? `?dice=${after}` : "");
    history.replaceState(history.state, "", address);
    box.dataset.dice = after;
    box.querySelector("input[name=dice]").value = after;
    [...box.querySelectorAll(".typed li")].forEach((place, i) => {
      const figure = after[i];
      if (!figure) {
        place.innerHTML = '<span class="die gone"></span>';
      } else if (figure !== before[i]) {
        const key = box.querySelector(`[data-face="${figure}"] .die`).cloneNode(true);
        const word = document.createElement("span");
        word.className = "vh";
        word.textContent = figure;
        place.replaceChildren(word, key);
      }
    });
    box.querySelectorAll("[data-face]").forEach((key) => {
      const figure = key.dataset.face;
      const next = figure === "back" ? after.slice(0, -1) : (after + figure).slice(0, 5);
      key.href = box.dataset.at + (next ? `?dice=${next}` : "");
    });
    if (after.length === 5 || before.length === 5) {
      window.htmx.ajax("GET", address, { source: box, target: "#live", swap: "outerMorph" });
    }
    return true;
  }

  /* ---- clicks ---- */

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-face], [data-copy], [data-dialog]");
    const menu = byId("menu");
    if (menu && menu.open && !menu.contains(event.target)) menu.open = false;
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target.dataset.face) {
      event.preventDefault();
      type(target.dataset.face);
    } else if (target.dataset.copy) {
      copy(target);
    } else if (byId(target.dataset.dialog)) {
      event.preventDefault();
      if (menu) menu.open = false;
      byId(target.dataset.dialog).showModal();
    }
  });

  async function copy(button) {
    const field = byId(button.dataset.copy);
    field.select();
    try {
      // Not there on a plain address of the local network; the selection can be copied all the same.
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else document.execCommand("copy");
    } catch {
      return;
    }
    button.textContent = button.dataset.done;
    speak(button.dataset.done);
  }

  /* ---- keys ---- */

  const boxes = () => [...document.querySelectorAll(".card tbody button")];
  let lastBox = "";

  function moveInCard(step) {
    const all = boxes();
    if (!all.length) return false;
    const here = all.indexOf(document.activeElement);
    const known = all.findIndex((box) => box.id && box.id === lastBox);
    let next = here + step;
    if (here < 0) next = known >= 0 ? known : step > 0 ? 0 : all.length - 1;
    next = Math.max(0, Math.min(all.length - 1, next));
    all[next].focus();
    lastBox = all[next].id;
    return true;
  }

  function moveInDice(step) {
    const all = [...document.querySelectorAll("#tray input, .pad [data-face]")];
    if (!all.length) return false;
    const here = all.indexOf(document.activeElement);
    const next = here < 0 ? (step > 0 ? 0 : all.length - 1) : (here + step + all.length) % all.length;
    all[next].focus();
    return true;
  }

  function press(id) {
    const button = byId(id);
    if (!button || button.getAttribute("aria-disabled") === "true") return false;
    button.click();
    return true;
  }

  function onKey(key, on) {
    if (byId("typing")) {
      if (/^[1-6]$/.test(key)) return type(key);
      if (key === "Backspace") return type("back");
    }
    if (/^[1-5]$/.test(key)) {
      const die = document.querySelector(`#tray [data-key="${key}"]`);
      if (die) die.click();
      return Boolean(die);
    }
    switch (key) {
      case "r": case "R":
        return press("roll");
      case " ":
        // On a control the space bar presses that control, as everywhere.
        if (on.matches("a[role=button]")) {
          on.click();
          return true;
        }
        return on.matches("a, button, input, select, summary, [tabindex]") ? false : press("roll");
      case "ArrowDown": return moveInCard(1);
      case "ArrowUp": return moveInCard(-1);
      case "ArrowRight": return moveInDice(1);
      case "ArrowLeft": return moveInDice(-1);
      case "Escape": {
        const menu = byId("menu");
        if (menu && menu.open) {
          menu.open = false;
          menu.querySelector("summary").focus();
          return true;
        }
        const roll = byId("roll");
        if (roll) roll.focus();
        return Boolean(roll);
      }
      case "?": {
        const keys = byId("keys");
        if (keys) keys.showModal();
        return Boolean(keys);
      }
      default:
        return false;
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on = event.target;
    if (on.closest("dialog[open]")) return;
    if (on.matches("textarea, select, input:not([type=checkbox]):not([type=radio])")) return;
    if (on.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
    if (event.repeat && !event.key.startsWith("Arrow")) return;
    // In a wide card that has the focus itself, left and right scroll it.
    if (on.matches(".scroll") && /^Arrow(Left|Right)$/.test(event.key)) return;
    const step = byId("replay") && { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    const link = step && byId("replay").querySelector(`[rel=${step}], [data-step=${step}]`);
    if (link) {
      event.preventDefault();
      link.click();
      return;
    }
    if (onKey(event.key, on)) event.preventDefault();
  });

  /* ---- the trainer counts days where the browser is ---- */

  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone) document.cookie = `zone=${timeZone}; Max-Age=34560000; Path=/; SameSite=Lax`;

  showMover();
  showStep();
})();
