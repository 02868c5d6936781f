// A file that is dropped anywhere on the page; without this the browser would leave the page for it.
import { type DragEvent, useState } from "react";

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const on = {
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (file) onFile(file);
    },
  };
  return { over, on };
}
