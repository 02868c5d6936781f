-- Inbox: the journal of events, and their receipts.

-- The journal. A row is one event, as the game sent it. Rows are only added; `seq` is their order, the time is not.
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
  checksum       TEXT NOT NULL,
  sender         INTEGER
) STRICT;

-- Counts each event in its `rule` (games.sql), in the commit that stores the event. The counts include events that have been removed
-- from the journal.
CREATE TRIGGER event_came AFTER INSERT ON event WHEN NEW.event_id IS NOT NULL BEGIN
  UPDATE rule SET events = events + 1, last_seen_ms = NEW.received_at_ms
  WHERE kind = NEW.kind AND event_id = NEW.event_id;
END;

-- A row says that a block of 512 positions has an event of this kind with this event id or, if it has no event id, of this sender
-- (-1: unknown). A filtered list reads only such blocks. An index would cost each event several times as much. A row can outlive
-- its events.
CREATE TABLE event_block (
  block INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  key   ANY NOT NULL,
  PRIMARY KEY (block, kind, key)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER event_in_block AFTER INSERT ON event BEGIN
  INSERT OR IGNORE INTO event_block VALUES (NEW.seq / 512, NEW.kind, coalesce(NEW.event_id, NEW.sender, -1));
END;
CREATE TRIGGER event_sender_in_block AFTER UPDATE OF sender ON event WHEN NEW.event_id IS NULL BEGIN
  INSERT OR IGNORE INTO event_block VALUES (NEW.seq / 512, NEW.kind, coalesce(NEW.sender, -1));
END;

-- The only row is the lowest number that a new event may get. A wipe may remove the newest events, but no number may be used twice,
-- because cursors refer to numbers.
CREATE TABLE event_floor (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO event_floor VALUES (1, 0);

-- A row is one state that an accepted event reached.
CREATE TABLE receipt (
  seq       INTEGER PRIMARY KEY,
  event_seq INTEGER NOT NULL,
  state     TEXT NOT NULL,
  at_ms     INTEGER NOT NULL,
  by        TEXT NOT NULL,
  reason    TEXT
) STRICT;
CREATE INDEX receipt_of_event ON receipt (event_seq);

-- A row is the cursor of one slice: the last event that was dispatched to it.
CREATE TABLE hand_over (
  slice TEXT PRIMARY KEY,
  seq   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
