-- Reports of each issue in Bugsink's SQLite, unless its settings keep events in files. Bugsink keeps 10,000 events of a project by default.
SELECT issue_id, sum(data ->> '$.contexts.kit.reports') AS reports
FROM events_event WHERE data ->> '$.contexts.kit' IS NOT NULL
GROUP BY issue_id ORDER BY reports DESC;
