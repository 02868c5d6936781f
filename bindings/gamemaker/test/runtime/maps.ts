// ds_maps: numbered, counted, and unusable once destroyed.
import type { Functions } from "./texts.ts";
import { fail } from "./values.ts";

export type Maps = Map<number, Map<unknown, unknown>>;

export function mapOf(maps: Maps, id: number): Map<unknown, unknown> {
  return maps.get(id) ?? fail(`there is no ds_map ${id}`);
}

export function mapFunctions(maps: Maps): Functions {
  let made = 0;
  return {
    ds_map_create: () => {
      maps.set(made, new Map());
      return made++;
    },
    ds_map_add: (id: number, key: unknown, value: unknown) => {
      const map = mapOf(maps, id);
      if (map.has(key)) return false;
      map.set(key, value);
      return true;
    },
    ds_map_set: (id: number, key: unknown, value: unknown) => void mapOf(maps, id).set(key, value),
    ds_map_find_value: (id: number, key: unknown) => mapOf(maps, id).get(key),
    ds_map_destroy: (id: number) => {
      mapOf(maps, id);
      maps.delete(id);
    },
  };
}
