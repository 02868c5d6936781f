// Lists the files of a project that a stack frame may refer to, the likeliest first. Pure. A frame is text that anybody may have
// sent, so no path leads out of the project, or names a drive, a device or another computer.

export type FrameLocation = { readonly function: string | null; readonly file: string | null };
/** Folder names and a file name, relative to the project. */
export type SourcePath = readonly string[];

const charsMax = 1_024;
const segmentsMax = 24;
/** Schemes of URLs in which a path of the project follows the host. */
const pageSchemes = ["http", "https", "chrome-extension", "app", "tauri", "capacitor", "webpack", "webpack-internal"];
const unsafe = /[\p{Cc}\p{Cs}:*?"<>|]/u;

/** Returns no paths if the frame cannot refer to a file of the game. */
export function sourceCandidates({ function: name, file }: FrameLocation): readonly SourcePath[] {
  if (file === null) return name === null || name.length > charsMax ? [] : ofGml(name);
  if (file.length > charsMax) return [];
  const colon = file.indexOf("://");
  const scheme = colon < 0 ? "" : file.slice(0, colon).toLowerCase();
  if (scheme === "") return ofPath(withoutDrive(file));
  const rest = file.slice(colon + 3);
  if (scheme === "res") return exactly(rest);
  const path = decoded(rest.split(/[?#]/, 1)[0] ?? "");
  if (scheme === "file") return ofPath(withoutDrive(path.replace(/^\/(?=[a-z]:)/i, "")));
  return pageSchemes.includes(scheme) ? ofPage(segmentsOf(path).slice(1)) : [];
}

/** A colon shows that the name is no path, as in `node:internal/…` and `data:…`. */
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
const isSafe = (segments: SourcePath) =>
  segments.length > 0 && segments.every((segment) => segment !== ".." && !unsafe.test(segment));

/** Returns only the path itself, because it is relative to the project. */
function exactly(path: string): SourcePath[] {
  const segments = segmentsOf(path);
  return isSafe(segments) && segments.length <= segmentsMax ? [segments] : [];
}

/** Returns all ends of the path, longest first: Kit does not know where the project was when the game was built. */
function suffixes(path: readonly string[]): SourcePath[] {
  const known = path.slice(path.lastIndexOf("..") + 1).slice(-segmentsMax);
  return known.map((_, from) => known.slice(from)).filter(isSafe);
}

/** Also tries the folder `www`, in which older RPG Maker projects have their page: the URL may leave it out. */
function ofPage(path: readonly string[]): SourcePath[] {
  const within = suffixes(path);
  const [whole] = within;
  return whole === undefined || whole[0] === "www" ? within : [whole, ["www", ...whole], ...within.slice(1)];
}

const event =
  /^(.+)_((?:Create|Destroy|CleanUp|Step|Alarm|Draw|Mouse|Keyboard|KeyPress|KeyRelease|Other|Gesture|PreCreate|Trigger)_\d+)$/;

/** Derives the file from a GameMaker function name: `gml_Object_obj_player_Step_0`, `gml_Script_f@gml_Object_…`. */
function ofGml(name: string): SourcePath[] {
  const within = name.slice(name.lastIndexOf("gml_"));
  const script = /^gml_(?:Global)?Script_([^@]+)(?:@(.+))?$/.exec(within);
  if (script !== null) {
    // The name of the script that defines a method comes after the `@`.
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

/** Splits at each `_Collision_`, because the names of objects can contain it, too. */
function collisions(object: string): SourcePath[] {
  const found: SourcePath[] = [];
  for (let at = object.indexOf("_Collision_"); at > 0 && found.length < 4; at = object.indexOf("_Collision_", at + 1)) {
    found.push(...exactly(`objects/${object.slice(0, at)}/${object.slice(at + 1)}.gml`));
  }
  return found;
}
