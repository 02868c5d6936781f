// Saves a JSON text as a file. The page creates the file itself, so nothing is sent anywhere.

export function downloadJson(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
