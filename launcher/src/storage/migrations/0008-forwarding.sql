-- Forwarding: servers that reports are sent on to, and what still waits for them. Keys and addresses are kept elsewhere.
CREATE TABLE forward_target (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  kind           TEXT NOT NULL CHECK (kind IN ('sentry', 'otlp')),
  -- Null takes the reports of all games; 'unsorted' those without one.
  game           TEXT,
  -- Host and port, to be shown.
  host           TEXT NOT NULL,
  project        TEXT,
  enabled        INTEGER NOT NULL DEFAULT 1,
  created_ms     INTEGER NOT NULL,
  delivered      INTEGER NOT NULL DEFAULT 0,
  delivered_ms   INTEGER,
  dropped        INTEGER NOT NULL DEFAULT 0,
  -- What went wrong last, until something is delivered after it.
  fault          TEXT,
  fault_ms       INTEGER,
  -- Why nothing is sent until a person did something.
  stopped        TEXT,
  wait_until_ms  INTEGER,
  wait_because   TEXT CHECK (wait_because IN ('rate-limit', 'failure'))
) STRICT;

-- Copies, since kept reports give way to newer ones. In the order in which they are sent.
CREATE TABLE forward_report (
  seq         INTEGER PRIMARY KEY,
  target_seq  INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  event       TEXT NOT NULL,
  news        TEXT NOT NULL CHECK (news IN ('new', 'regressed', 'more')),
  bytes       INTEGER NOT NULL,
  -- How often the server said that it cannot read it.
  refused     INTEGER NOT NULL DEFAULT 0,
  -- The how manieth of its kind.
  number      INTEGER NOT NULL,
  at_ms       INTEGER NOT NULL,
  issue       TEXT NOT NULL,
  game        TEXT,
  dialect     TEXT NOT NULL,
  version     INTEGER NOT NULL,
  key         TEXT NOT NULL,
  -- Message and stack as JSON text.
  body        TEXT NOT NULL,
  UNIQUE (target_seq, event)
) STRICT;
CREATE INDEX forward_report_of_target ON forward_report (target_seq, seq);
