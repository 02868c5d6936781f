-- Games that are about to be wiped: a wipe survives a restart until it is done or undone.
CREATE TABLE wipe (
  -- Empty for what belongs to no game.
  game TEXT PRIMARY KEY,
  due_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Places of the journal at the least, so that none is used twice when its newest events are wiped: slices go on from a place.
CREATE TABLE event_floor (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO event_floor VALUES (1, 0);
