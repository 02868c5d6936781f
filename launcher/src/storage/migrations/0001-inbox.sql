-- The journal: what games sent, as they sent it. Rows are only ever added; `seq` is the order, not the time.
CREATE TABLE event (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  kind           TEXT NOT NULL CHECK (kind IN ('recording', 'monitor', 'social')),
  event_id       TEXT,
  payload        TEXT NOT NULL,
  acts_on_ms     INTEGER NOT NULL,
  received_at_ms INTEGER NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('accepted', 'ignored')),
  reason         TEXT,
  notes          TEXT,
  origin         TEXT,
  client         TEXT,
  checksum       TEXT NOT NULL
) STRICT;

-- Every state an event reached after it was accepted.
CREATE TABLE receipt (
  seq       INTEGER PRIMARY KEY,
  event_seq INTEGER NOT NULL,
  state     TEXT NOT NULL,
  at_ms     INTEGER NOT NULL,
  by        TEXT NOT NULL,
  reason    TEXT
) STRICT;
CREATE INDEX receipt_of_event ON receipt (event_seq);

-- How far each slice has come in the journal.
CREATE TABLE hand_over (
  slice TEXT PRIMARY KEY,
  seq   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
