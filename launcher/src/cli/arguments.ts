// Reads single arguments, with a message that says what would have been taken.
import { InvalidArgumentError } from "commander";

/** A whole number from `min` to `max`. */
export const readWhole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
