// The README's C# as a class that a test can run: Block1, Block2 and so on, in their order.

export function readmeSource(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```csharp\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code.split("\n"));
  const usings = new Set(blocks.flat().filter((line) => line.startsWith("using ")));
  const methods = blocks.map((lines, at) => {
    const body = lines.filter((line) => !line.startsWith("using "));
    return [`  public static void Block${at + 1}()`, "  {", ...body, "  }"].join("\n");
  });
  return [...usings, "public static class Readme", "{", ...methods, "}"].join("\n");
}
