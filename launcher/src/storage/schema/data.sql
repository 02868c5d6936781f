-- Keeping: what a person asked Kit to remove.

-- A row is a game that Kit will wipe. It survives a restart until the wipe is done or a person takes it back.
CREATE TABLE wipe (
  -- Empty for what belongs to no game.
  game TEXT PRIMARY KEY,
  due_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
