-- What a person says of a game: its name, how it is started, and its cover.
CREATE TABLE game_entry (
  game TEXT PRIMARY KEY,
  name TEXT,
  -- JSON: program, arguments, folder.
  command TEXT,
  -- The type of the picture a person chose, and what differs whenever the picture does.
  cover_type TEXT,
  cover_version TEXT,
  -- As base64; last, so that a list does not read it.
  cover TEXT
) STRICT;

-- What a program that sends a game's events was started with, so that Play can be offered: JSON, and the folder.
ALTER TABLE game_program ADD COLUMN arguments TEXT;
ALTER TABLE game_program ADD COLUMN folder TEXT;

-- How many of a session's events were recording and social triggers; of sessions that are there, as far as the journal has them.
ALTER TABLE game_session ADD COLUMN moments INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game_session ADD COLUMN posts INTEGER NOT NULL DEFAULT 0;
UPDATE game_session SET moments = counted.moments, posts = counted.posts
FROM (
  SELECT p.session_seq AS session_seq, sum(e.kind = 'recording') AS moments, sum(e.kind = 'social') AS posts
  FROM game_session_part AS p CROSS JOIN event AS e ON e.seq BETWEEN p.first_seq AND p.last_seq
  GROUP BY p.session_seq) AS counted
WHERE game_session.seq = counted.session_seq;
