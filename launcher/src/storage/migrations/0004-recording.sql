-- How the recorder is set: only what a person changed, each value as JSON.
CREATE TABLE recorder_setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What an event id makes of the screen, where it is not the default.
CREATE TABLE recording_rule (
  event_id     TEXT PRIMARY KEY,
  action       TEXT NOT NULL CHECK (action IN ('clip', 'screenshot', 'marker', 'nothing')),
  pre_ms       INTEGER NOT NULL,
  post_ms      INTEGER NOT NULL,
  merge_gap_ms INTEGER NOT NULL,
  longest_ms   INTEGER NOT NULL,
  cooldown_ms  INTEGER NOT NULL,
  priority     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Clips, screenshots and markers. A pending one was promised; only a probed file is `saved`.
CREATE TABLE clip (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL CHECK (kind IN ('clip', 'screenshot', 'marker')),
  state         TEXT NOT NULL CHECK (state IN ('pending', 'saved', 'failed', 'marked')),
  reason        TEXT,
  title         TEXT NOT NULL,
  game          TEXT,
  -- The window that was asked for; then, once saved, what the file really holds.
  from_ms       INTEGER NOT NULL,
  to_ms         INTEGER NOT NULL,
  duration_ms   INTEGER NOT NULL DEFAULT 0,
  -- Relative to the clips folder.
  file          TEXT,
  bytes         INTEGER NOT NULL DEFAULT 0,
  width         INTEGER NOT NULL DEFAULT 0,
  height        INTEGER NOT NULL DEFAULT 0,
  frames        INTEGER NOT NULL DEFAULT 0,
  backend       TEXT,
  notes         TEXT,
  priority      INTEGER NOT NULL,
  pinned        INTEGER NOT NULL DEFAULT 0,
  shared        INTEGER NOT NULL DEFAULT 0,
  missing       INTEGER NOT NULL DEFAULT 0,
  poster        INTEGER NOT NULL DEFAULT 0,
  preview       INTEGER NOT NULL DEFAULT 0,
  deleted_at_ms INTEGER
) STRICT;
CREATE INDEX clip_pending ON clip (state) WHERE state = 'pending';

-- Which events a clip holds. An event is in one clip at most.
CREATE TABLE clip_moment (
  event     TEXT PRIMARY KEY,
  event_seq INTEGER NOT NULL,
  clip_seq  INTEGER NOT NULL REFERENCES clip (seq) ON DELETE CASCADE,
  kind      TEXT NOT NULL,
  event_id  TEXT,
  label     TEXT NOT NULL,
  at_ms     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX moments_of_clip ON clip_moment (clip_seq);
