// A secret store in memory.
export function secretsInMemory(kept = new Map<string, string>()) {
  return {
    read: async (name: string) => kept.get(name),
    async write(name: string, value: string) {
      kept.set(name, value);
    },
    async remove(name: string) {
      kept.delete(name);
    },
  };
}
