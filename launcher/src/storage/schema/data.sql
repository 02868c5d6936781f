-- Data: wipes that a person requested.

-- A row is a planned wipe of a game. It remains until the wipe is complete or cancelled, also across restarts.
CREATE TABLE wipe (
  -- Empty for what belongs to no game.
  game TEXT PRIMARY KEY,
  due_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
