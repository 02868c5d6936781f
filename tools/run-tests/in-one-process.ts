// Runs the test files that KIT_TEST_FILES names in this process. Their tests take milliseconds, and a process for each file would take
// longer. They set nothing that another file could see.
const { KIT_TEST_FILES = "[]" } = process.env;

for (const file of JSON.parse(KIT_TEST_FILES) as string[]) await import(file);
