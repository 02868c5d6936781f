// Faults in the encoding of texts.
import { change, changeBody, type Faults } from "./change.ts";

const changeTexts = (by: (text: string) => string) =>
  changeBody(({ timestamp, ...texts }) => {
    const changed = Object.entries(texts).map(([name, text]) => [name, by(text ?? "")]);
    return { ...Object.fromEntries(changed), timestamp };
  });

export const textFaults = {
  "raw-json": (kit) =>
    change(kit, "bodyOf", () => (members) => {
      return `{${Object.entries(members).map(([name, text]) => `"${name}":"${text}"`)}}`;
    }),
  "raw-controls": (kit) =>
    change(kit, "bodyOf", (bodyOf) => (members) => bodyOf(members).replaceAll("\\u001b", "\u001b")),
  latin1: changeTexts((text) => Buffer.from(text, "latin1").toString("latin1")),
  "ends-at-nul": changeTexts((text) => text.split("\u0000")[0] ?? ""),
  trims: changeTexts((text) => text.trim()),
  normalises: changeTexts((text) => text.normalize()),
  truncates: changeTexts((text) => text.slice(0, 8_192)),
  "fills-placeholders": changeTexts((text) => text.replaceAll("{n}", "1")),
  "drops-byte-order-marks": changeTexts((text) => text.replaceAll("\ufeff", "")),
  "drops-lone-surrogates": changeTexts((text) => text.toWellFormed().replaceAll("\ufffd", "")),
} satisfies Faults;
