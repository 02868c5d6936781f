# A launcher URL taken apart, so that the engine is never given one it would print an error about.
extends RefCounted

# `String.strip_edges` knows only the blanks below U+0021.
const BLANKS: String = " \t\n\r\u000b\u000c\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

const HOST_SIGNS: String = "abcdefghijklmnopqrstuvwxyz0123456789-._"
const PORT_MAX: int = 65535
const DEFAULT_PORT: int = 80

# A name to look up, or an IP address without brackets.
var host: String
var port: int
# In front of every path; empty, or with a leading and without a trailing slash.
var prefix: String


# The address without blanks around it and slashes at its end.
static func trimmed(url: String) -> String:
	var first: int = 0
	var end: int = url.length()
	while first < end and BLANKS.contains(url[first]):
		first += 1
	while end > first and BLANKS.contains(url[end - 1]):
		end -= 1
	return url.substr(first, end - first).rstrip("/")


# A KitAddress; null when `url`, which is trimmed, is no `http://host[:port][/path]`.
static func parse(url: String) -> RefCounted:
	if url.substr(0, 7).to_lower() != "http://":
		return null
	var rest: String = url.substr(7)
	var slash: int = rest.find("/")
	var authority: String = rest if slash < 0 else rest.substr(0, slash)
	var path: String = "" if slash < 0 else rest.substr(slash)
	# The colon before the port is the last one, but not one of an IPv6 address.
	var colon: int = authority.rfind(":")
	if colon < authority.rfind("]"):
		colon = -1
	var host_text: String = authority if colon < 0 else authority.substr(0, colon)
	var port_text: String = "" if colon < 0 else authority.substr(colon + 1)
	var host_found: String = _host_of(host_text)
	var port_found: int = _port_of(port_text)
	var is_usable: bool = not host_found.is_empty() and port_found > 0 and _is_path(path)
	return new(host_found, port_found, path) if is_usable else null


static func _host_of(text: String) -> String:
	if text.begins_with("[") and text.ends_with("]"):
		var inside: String = text.substr(1, text.length() - 2)
		return inside if inside.contains(":") and inside.is_valid_ip_address() else ""
	for letter: String in text.to_lower():
		if not HOST_SIGNS.contains(letter):
			return ""
	return text


static func _port_of(text: String) -> int:
	if text.is_empty():
		return DEFAULT_PORT
	for letter: String in text:
		if letter < "0" or letter > "9":
			return 0
	var number: int = text.to_int() if text.length() <= 5 else 0
	return number if number <= PORT_MAX else 0


static func _is_path(text: String) -> bool:
	for letter: String in text:
		if letter <= " " or letter > "~" or letter == "?" or letter == "#":
			return false
	return true


func _init(host_given: String, port_given: int, prefix_given: String) -> void:
	host = host_given
	port = port_given
	prefix = prefix_given


# As the header `Host` has it.
func host_header() -> String:
	return url_host() if port == DEFAULT_PORT else "%s:%d" % [url_host(), port]


# As a URL has it.
func url_host() -> String:
	return "[%s]" % host if host.contains(":") else host
