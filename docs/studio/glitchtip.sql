-- Reports of each issue in GlitchTip's PostgreSQL. Its table can hold an id more than once, so each id is counted once.
-- In versions whose table has no `event_id`, write `id` there.
SELECT issue_id, sum(reports) AS reports
FROM (SELECT DISTINCT event_id, issue_id, (data #>> '{contexts,kit,reports}')::bigint AS reports
      FROM issue_events_issueevent) AS events
WHERE reports IS NOT NULL GROUP BY issue_id ORDER BY reports DESC;
