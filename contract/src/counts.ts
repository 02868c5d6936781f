/** Returns a count with its thousands separated by commas. Without `Intl`, whose first use takes 10 ms and 8 MB. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
