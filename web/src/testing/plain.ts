/** What was written, with plain spaces where a figure is kept on one line with its unit. */
export const plain = <Written>(written: Written): Written =>
  JSON.parse(JSON.stringify(written).replaceAll('\u00a0', ' '));
