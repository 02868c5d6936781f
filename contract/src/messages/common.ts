// Sentences about fields, and how sentences are put together.

export const commonMessages = {
  "field.invalid": "{{field}} {{problem}}.",
  "field.several": "{{problems}}.",
  "field.other": "{{problem}}",
  "field.missing": "is missing: {{expected}}",
  "field.unknown": "is unknown: expected one of {{known}}",
  "field.unknown_meant": "is unknown: did you mean {{meant}}?",
  "field.no_query": "is unknown: the operation has no query parameters",
  "field.expected": "expected {{what}}",
  "field.expected_between": "expected {{what}}, from {{least}} to {{most}}",
  "field.expected_one_of": "expected one of {{values}}",
  "field.expected_object": "expected a JSON object ({{problem}})",
  "field.expected_value": "expected a value",
  "error.other": "{{text}}",
  "join.sentences": "{{first}} {{second}}",
  "join.clauses": "{{first}}; {{second}}",
  "join.list": "{{first}}, {{second}}",
  "join.reason": "{{what}}: {{why}}",
} as const;
