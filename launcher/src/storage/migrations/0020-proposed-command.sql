-- How a restored database that another Kit made says a game is started: only proposed, until a person agrees to it here.
CREATE TABLE proposed_command (
  game    TEXT PRIMARY KEY,
  command TEXT NOT NULL
) STRICT, WITHOUT ROWID;
