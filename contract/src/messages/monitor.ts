// Sentences about issues, alerts and forwarding.

export const monitorMessages = {
  "issue.called_by": "{{place}}, called by {{caller}}",
  "issue.function_in_file": "{{function}} in {{file}}",
  "issue.grouped": "issue {{issue}}: {{title}}",
  "issue.grouped_by_message":
    "Grouped only by the message “{{message}}”: the report has no readable stack. Values in the message (shown as <…>), line numbers and build folders are ignored.",
  "issue.grouped_by_place":
    "Grouped by the message “{{message}}” and where it happened: {{place}}. Values in the message (shown as <…>), line numbers and build folders are ignored.",
  "issue.in_trash": "{{issue}} is in the trash: restore it first.",
  "issue.is_merged": "{{issue}} is merged into another issue: split it first.",
  "issue.merge_across_games": "Only issues of one game can be merged.",
  "issue.merge_into_itself": "An issue cannot be merged into itself.",
  "issue.muted_until_past": "mutedUntil must be a valid time in the future.",
  "issue.no_report": "The issue has no stored report of this event.",
  "issue.not_in_trash": "The issue is not in the trash.",
  "issue.not_merged": "The issue is not merged into another one.",
  "issue.not_muted": "mutedUntil and mutedForCount are only allowed with the state muted.",
  "issue.overflow":
    "Too many new errors arrived at once, or there are already too many issues. These reports are counted together, each exactly once.",
  "issue.unknown": "There is no such issue.",
  "issue.unnamed_function": "an unnamed function",
  "notice.accepted": "The desktop accepted the notification.",
  "notice.no_notify_send":
    "Desktop notifications are not available: install libnotify-bin, which contains notify-send.",
  "notice.notify_send_failed": "notify-send failed",
  "notice.notify_send_not_finished": "notify-send did not finish",
  "notice.unavailable": "Desktop notifications are not available: {{reason}}.",
  "target.damaged_credentials": "The saved address is damaged: enter it again.",
  "target.failed": "The server failed ({{status}}).",
  "target.header_name": "contains a header name that is not allowed",
  "target.header_value": "contains a value with characters that a header cannot have",
  "target.headers_for_collectors": "are only for collectors; a DSN needs no headers",
  "target.invalid_report": "The server rejected the report as invalid (422).",
  "target.key_not_read": "The key cannot be read. {{problem}}",
  "target.key_not_saved": "The key could not be saved. {{problem}}",
  "target.key_refused":
    "The server refuses this key (403). Check in the project's settings whether the key or the project is disabled.",
  "target.key_rejected": "The server does not accept the key (401). Enter the current key from the project's settings.",
  "target.large_report": "The report is too large for the server (413).",
  "target.no_answer_in_time": "The server did not answer within {{seconds}} seconds.",
  "target.no_contact_before": "The server asked not to be contacted before {{time}}, so no test was sent.",
  "target.no_credentials": "The address and the key are missing. Enter them again, or delete the target.",
  "target.not_a_dsn": "must be a DSN, such as https://KEY@example.com/1; the server's project settings show it",
  "target.nothing_there": "The server has nothing at this address (404). Check the address and the project.",
  "target.password": "must not contain a password: send it as a header",
  "target.project_gone": "The project no longer exists (410). Check the address and the project.",
  "target.proxy_password": "A proxy requires a password (407). Enter an address that is reachable without one.",
  "target.query": "must not have a query or a fragment: send a key as a header",
  "target.rate_limit": "The server asks for fewer requests (429).",
  "target.redirected":
    "The server redirects to another address ({{status}}). Kit does not follow redirects; enter the new address.",
  "target.reports_rejected": "The collector rejected {{count}} of the reports.",
  "target.reports_rejected_because": "The collector rejected {{count}} of the reports: {{reason}}",
  "target.reserved_address": "contains an address that no server can have",
  "target.resolves_elsewhere":
    "Plain http is only allowed for this computer, but the name resolves to another one. Use https.",
  "target.resolves_to_reserved": "The name resolves to an address that no server can have.",
  "target.takes_no_reports": "This address does not accept reports (405). Check the address and the project.",
  "target.test_accepted": "The server accepted the test report ({{status}}).",
  "target.too_many": "There are {{most}} targets already. Delete one first.",
  "target.unknown": "There is no such target.",
  "target.unreadable_report":
    "The server could not read the report (400). Check that the address belongs to a server of this type, then restart the target.",
  "target.web_page":
    "A web page answered instead of the server. If this network asks for a sign-in, sign in; otherwise check the address.",
} as const;
