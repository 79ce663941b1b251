"""What nobody should send, of each kind."""

import gzip
from typing import Any

TEXTS = (
    "", " ", "0", "-1", "1e999", "NaN", "null", "true", "[]", "{}", "\x00", "a\x00b", "\r\n",
    "\x1b[2J", "\u202e", "\u00e9", "\U0001f3b2", "\ufeff", "\uffff", "'; DROP TABLE events; --",
    "<script>", "{{7*7}}", "%s%n", "../../etc/passwd", "x" * 41, "x" * 65, "x" * 10_000, "9" * 5000,
    "\u0301" * 300, "1" * 16, "a" * 16, "lots", "2.ones", "-1.ones", "9" * 9 + ".ones", "11111",
    "777777", "bot", "bot exact", "remove 9", "skip -1", "people", "computer nobody",
    "/\\evil.example", "//evil.example",
)  # fmt: skip
"""Text where other text is expected."""
VALUES: tuple[Any, ...] = (
    *TEXTS, None, True, False, 0, -1, 1, 7, 1.5, -0.0, 2**31, 2**63, 10**30, -(10**30), 1e308, [],
    {}, [[]], [None] * 100, {"": {}}, {"do": "roll"}, "\ud800", {"\ud800": 1}, {"\x00": "\x00"},
)  # fmt: skip
"""JSON where other JSON is expected."""
BODIES = (
    b"", b" ", b"{", b'"', b"[" * 20_000, b'{"a":' * 5000, b"NaN", b"Infinity", b"-Infinity",
    b"1e9999", b"9" * 5000, b"[1,]", b"{'a':1}", b'{"a":1,"a":2}', b"\xff\xfe", b"\xc3\x28",
    b"\xed\xa0\x80", b'"\\ud800"', b'"\x00"', b'{"version":NaN}', b"\xef\xbb\xbf{}",
    '{"a":1}'.encode("utf-16"), b"null", b"\x1f\x8b\x08\x00", gzip.compress(b"{}"), b"0" * 40_000,
    b"version=1&do=roll",
)  # fmt: skip
"""Bodies that are no JSON, or no object."""
SEGMENTS = (
    b"..", b".", b"%2e%2e", b"%2e%2e%2f%2e%2e%2fetc%2fpasswd", b"..%5c..", b"%00", b"a%00b", b"%ff",
    b"%c3%28", b"%ed%a0%80", b"%", b"%zz", b"%u0041", b"x" * 300, b"x" * 5000, b"9" * 4500, b"-1",
    b"0", b"1e9", b"%0d%0aX:y", b"%E2%80%AE", b"\\", b";a=b", b"a" * 16, b"%5B", b"[", b"]", b"@",
    b":", b"{table_id}", b"", b"%2F%2F", b"~",
)  # fmt: skip
"""Parts of a path."""
QUERIES = (
    b"", b"?", b"after=-1", b"after=" + b"9" * 5000, b"after=%00", b"after=x&after=y",
    b"every=true", b"every=maybe", b"lang=pl", b"lang=%00", b"lang=xx-" + b"y" * 900,
    b"lang=..%2f..", b"rules=all-dice", b"rules=%ff", b"&" * 2000, b"a=b" * 1000, b"=&=", b"%",
    b"%ff=%fe", b"v=%00", b"fix=1.ones&into=sixes", b"fix=" + b"9" * 999, b"dice=66666&zero=yacht",
    b"box=choice", b"dice=" + b"1" * 99, b"x[]=1", b"a;b", b"'\"<>",
)  # fmt: skip
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"Host", b""), (b"Host", b"["), (b"Host", b"[::1"), (b"Host", b"a:b:c"), (b"Host", b"x:99999"),
    (b"Host", b"\xff"), (b"Host", b"x" * 3000), (b"Host", b"evil.example/\\@x"), (b"Host", b"a b"),
    (b"Host", b"\xe2\x84\x80.example"), (b"X-Forwarded-For", b"not an address"),
    (b"X-Forwarded-For", b"fe80::1%eth0"), (b"X-Forwarded-For", b"," * 99),
    (b"X-Forwarded-For", b"\xff"), (b"X-Forwarded-Proto", b"ws"), (b"X-Forwarded-Proto", b"gopher"),
    (b"X-Forwarded-Host", b"evil.example"), (b"Accept-Language", b"\xff\xfe;q=nan"),
    (b"Accept-Language", b"a;q=" * 2000), (b"Accept-Language", b"pl;q=1e999, *;q=-1"),
    (b"Accept-Language", b"-,_,.,@"), (b"Last-Event-ID", b"x"), (b"Last-Event-ID", b"9" * 5000),
    (b"Last-Event-ID", b"-1"), (b"Last-Event-ID", b"\xc2\xb2"), (b"Last-Event-ID", b"1"),
    (b"Accept", b"application/x-nonsense"), (b"Accept-Encoding", b"gzip;q=x"),
    (b"Range", b"bytes=5-1"), (b"Range", b"bytes=-"), (b"Range", b"bytes=0-0," * 1500),
    (b"Range", b"bytes=" + b"9" * 5000 + b"-"), (b"Range", b"bytes=0-0"), (b"If-Range", b"\xff"),
    (b"If-None-Match", b"*"), (b"If-None-Match", b"\xff" * 99),
    (b"If-Modified-Since", b"yesterday"), (b"If-Modified-Since", b"Thu, 99 Foo 99999 99:99:99 GMT"),
    (b"Origin", b"null"), (b"Origin", b"\xff"), (b"Sec-Fetch-Site", b"cross-site"),
    (b"HX-Request", b"true"), (b"Expect", b"100-continue"), (b"Expect", b"nonsense"),
    (b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"), (b"Upgrade", b"h2c"),
    (b"Content-Encoding", b"gzip"), (b"Content-Encoding", b"br"), (b"X" * 5000, b"y"),
    (b"X-Big", b"y" * 20_000), (b"X", b"y" * 70_000), (b"Bad Name", b"x"), (b"", b"x"),
    (b"X-Nul", b"a\x00b"), (b"X-Line", b"a\r\n b"), (b"Content-Length", b"0"),
    (b"Content-Length", b"-1"), (b"Content-Length", b"+1"), (b"Content-Length", b""),
    (b"Content-Length", b"9" * 30), (b"Content-Length", b"0x10"), (b"Content-Length", b"5, 5"),
    (b"Content-Length", b"99999"), (b"Transfer-Encoding", b"chunked"),
    (b"Transfer-Encoding", b"gzip, chunked"), (b"Transfer-Encoding", b"identity"),
    (b"Transfer-Encoding", b"\x0bchunked"), (b"Trailer", b"Content-Type"), (b"TE", b"trailers"),
)  # fmt: skip
FRAMING = (
    b"Content-Length", b"Transfer-Encoding", b"Expect", b"Upgrade", b"Connection", b"Bad Name", b"",
    b"X-Nul", b"X-Line", b"X" * 5000,
)  # fmt: skip
"""Headers after which it is not clear where a request ends, or whether it is one."""
TYPES = (
    b"application/json", b"application/json; charset=utf-16", b"application/json;charset=\xff",
    b"text/plain", b"", b"application/x-www-form-urlencoded",
    b"application/x-www-form-urlencoded; charset=utf-7", b"\xff", b"a" * 3000,
    b"multipart/form-data", b"multipart/form-data; boundary=", b"multipart/form-data; boundary=b",
    b"multipart/form-data; boundary=" + b"b" * 300,
    b"multipart/form-data; boundary=b; charset=unicode_escape",
    b"multipart/form-data; boundary=b; charset=utf-7",
    b"multipart/form-data; boundary=b; charset=idna",
    b"multipart/form-data; boundary=b; charset=undefined",
    b"multipart/form-data; boundary=b; charset=\x00", b'multipart/form-data; boundary="b',
    b"multipart/form-data; boundary=b; boundary=c", b";;;=",
)  # fmt: skip
CHARSETS = (
    b"; charset=utf-7", b"; charset=unicode_escape", b"; charset=raw_unicode_escape", b"; charset=",
    b"; charset=idna", b"; charset=punycode", b"; charset=undefined", b"; charset=rot13",
    b"; charset=\x00", b"; charset*=utf-8''x", b"; charset=utf-16",
)  # fmt: skip
"""Encodings that a form can claim."""
PARTS = (
    b"", b"\r\n", b"Content-Disposition: form-data\r\n\r\nx", b"X: " + b"y" * 5000 + b"\r\n\r\nx",
    b'Content-Disposition: form-data; name="file"; filename="x"\r\n\r\n' + b"\xff\x00" * 500,
    b'Content-Disposition: form-data; name="file"; filename="x"\r\n\r\n' + b"yacht 1\n" * 2000,
    b'Content-Disposition: form-data; name="file"; filename="../../x"\r\n\r\nyacht 1\nrules "\xff"',
    b'Content-Disposition: form-data; name="record"\r\n\r\nyacht 1\nrules traditional\nseat 1 '
    + b"[" * 9000, b'Content-Disposition: form-data; name="record"; filename*=utf-8\'\'x\r\n\r\nx',
    b'Content-Disposition: form-data; name="me"\r\n\r\n+2AA-\\ud800\xed\xa0\x80',
    b'Content-Disposition: form-data; name="' + b"n" * 9000 + b'"\r\n\r\nx',
    b'Content-Disposition: attachment; name="do"\r\nContent-Type: \xff\r\n\r\nroll',
)  # fmt: skip
"""Parts of a form in several parts."""
METHODS = (
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND",
    "PRI", "get", "FOO", "G\x00T", "X" * 500, "",
)  # fmt: skip
NO_HTTP = (
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(64),
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(300), b"\x00" * 500,
    b"\r\n" * 300 + b"x", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / FTP/1.1\r\n\r\n",
    b"GET /\r\n\r\n", b"GET  /  HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n", b"\xff" * 400,
    b"GET / HTTP/1.1\nHost: x\n\n", b"GET http://[ HTTP/1.1\r\n\r\n", b"GET * HTTP/1.1\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"GET http://h HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT h:1 HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nA: " + b"x" * 200_000,
    b"GET /" + b"x" * 200_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 30_000,
    b"POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
    b"POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
    b"POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n",
    b"POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * 30_000,
    b"POST /new HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"x" * 200_000,
)  # fmt: skip
"""What is no request, or one that nobody has to understand."""
