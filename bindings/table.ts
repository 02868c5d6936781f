// All bindings. A new one is one folder and one line here; CONTRIBUTING names what some engines need besides.
export { gamemaker } from "./gamemaker/binding.ts";
export { godot } from "./godot/binding.ts";
export { monogame } from "./monogame/binding.ts";
export { rpgmaker } from "./rpgmaker/binding.ts";
export { unity } from "./unity/conformance~/binding.ts";
