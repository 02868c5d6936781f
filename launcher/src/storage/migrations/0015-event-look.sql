-- How an event id is shown, whichever service it is for: what a person, or the game's kit.events.json, says of it.
CREATE TABLE event_look (
  event_id TEXT PRIMARY KEY,
  label TEXT,
  icon TEXT,
  -- A text for posts that the game's developer proposes. By itself it posts nothing.
  post_text TEXT,
  added_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
