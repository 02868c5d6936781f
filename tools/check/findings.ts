// Where the repository is, for tools and tests.
import { join } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "../..");
