// Which files of a project a frame may mean: paths within the project, the likeliest first. Pure; what a frame says is
// hostile text, so that no path leads out of the project and none names a drive, a device or another machine.

export type Place = { readonly function: string | null; readonly file: string | null };
/** Folders and a file, within the project. */
export type Candidate = readonly string[];

const charsMax = 1_024;
const segmentsMax = 24;
/** Of these the file's address has the project's folders behind the host. */
const pages = ["http", "https", "chrome-extension", "app", "tauri", "capacitor", "webpack", "webpack-internal"];
const unsafe = /[\p{Cc}\p{Cs}:*?"<>|]/u;

/** Nothing where no file of the game can be meant. */
export function candidatesOf({ function: name, file }: Place): readonly Candidate[] {
  if (file === null) return name === null || name.length > charsMax ? [] : ofGml(name);
  if (file.length > charsMax) return [];
  const colon = file.indexOf("://");
  const scheme = colon < 0 ? "" : file.slice(0, colon).toLowerCase();
  if (scheme === "") return ofPath(withoutDrive(file));
  const rest = file.slice(colon + 3);
  if (scheme === "res") return exactly(rest);
  const path = decoded(rest.split(/[?#]/, 1)[0] ?? "");
  if (scheme === "file") return ofPath(withoutDrive(path.replace(/^\/(?=[a-z]:)/i, "")));
  return pages.includes(scheme) ? ofPage(segmentsOf(path).slice(1)) : [];
}

/** `node:internal/…` and `data:…` are no paths. */
const ofPath = (path: string) => (path.includes(":") ? [] : suffixes(segmentsOf(path)));
const withoutDrive = (path: string) => path.replace(/^[a-z]:(?=[\\/])/i, "");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const segmentsOf = (path: string) => path.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
const isSafe = (segments: Candidate) =>
  segments.length > 0 && segments.every((segment) => segment !== ".." && !unsafe.test(segment));

/** A path that already begins at the project. */
function exactly(path: string): Candidate[] {
  const segments = segmentsOf(path);
  return isSafe(segments) && segments.length <= segmentsMax ? [segments] : [];
}

/** Where the project lay when it was built is not known: the longest end of the path that is there is it. */
function suffixes(path: readonly string[]): Candidate[] {
  const known = path.slice(path.lastIndexOf("..") + 1).slice(-segmentsMax);
  return known.map((_, from) => known.slice(from)).filter(isSafe);
}

/** RPG Maker's older projects have the page in `www`, which the address may leave out. */
function ofPage(path: readonly string[]): Candidate[] {
  const within = suffixes(path);
  const [whole] = within;
  return whole === undefined || whole[0] === "www" ? within : [whole, ["www", ...whole], ...within.slice(1)];
}

const event =
  /^(.+)_((?:Create|Destroy|CleanUp|Step|Alarm|Draw|Mouse|Keyboard|KeyPress|KeyRelease|Other|Gesture|PreCreate|Trigger)_\d+)$/;

/** GameMaker names the function, and that names the file: `gml_Object_obj_player_Step_0`, `gml_Script_f@gml_Object_…`. */
function ofGml(name: string): Candidate[] {
  const within = name.slice(name.lastIndexOf("gml_"));
  const script = /^gml_(?:Global)?Script_([^@]+)(?:@(.+))?$/.exec(within);
  if (script !== null) {
    // A method's name is followed by the script it was made in.
    return [script[2], script[1]].flatMap((found) => (found === undefined ? [] : exactly(scriptFile(found))));
  }
  const room = /^gml_Room_(.+)_Create$/.exec(within);
  if (room !== null) return exactly(`rooms/${room[1]}/RoomCreationCode.gml`);
  const object = /^gml_Object_(.+)$/.exec(within)?.[1] ?? "";
  const [, owner, what] = event.exec(object) ?? [];
  if (owner !== undefined) return exactly(`objects/${owner}/${what}.gml`);
  return collisions(object);
}

const scriptFile = (script: string) => `scripts/${script}/${script}.gml`;

/** Object names may hold the word themselves. */
function collisions(object: string): Candidate[] {
  const found: Candidate[] = [];
  for (let at = object.indexOf("_Collision_"); at > 0 && found.length < 4; at = object.indexOf("_Collision_", at + 1)) {
    found.push(...exactly(`objects/${object.slice(0, at)}/${object.slice(at + 1)}.gml`));
  }
  return found;
}
