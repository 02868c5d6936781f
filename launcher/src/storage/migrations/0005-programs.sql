-- The programs games were seen to run as, so that a game is noticed before its first event.
CREATE TABLE game_program (
  game       TEXT NOT NULL,
  path       TEXT NOT NULL,
  command    TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  PRIMARY KEY (game, path, command)
) STRICT, WITHOUT ROWID;
