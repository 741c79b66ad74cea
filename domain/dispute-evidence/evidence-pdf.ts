import PDFDocument from 'pdfkit';

/** The evidence for the card's bank, in English: titled lists of labelled facts. */
export interface Evidence {
  readonly title: string;
  readonly statement: string;
  readonly sections: readonly { readonly title: string; readonly facts: readonly (readonly [string, string])[] }[];
  readonly customerName: string;
  readonly customerEmail: string;
  /** A sentence about the product sold. */
  readonly product: string;
  /** The day of the payout, or null. */
  readonly serviceDate: string | null;
}

const margin = 50;
const labelWidth = 170;

/**
 * The built-in fonts cover Western European letters only: other letters lose their accents, or become a question mark.
 */
function printable(text: string): string {
  const inFont = (letter: string) => /[\n\u0020-\u007e\u00a0-\u00ff]/.test(letter);
  return [...text].map((one) => (inFont(one) ? one : ([...one.normalize('NFKD')].find(inFont) ?? '?'))).join('');
}

/** Renders evidence as a PDF of A4 pages. Deterministic for the same evidence and time. */
export function renderEvidence({ title, statement, sections }: Evidence, at: Date): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin, info: { Title: printable(title), CreationDate: at } });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  const width = document.page.width - 2 * margin;
  const bottom = () => document.page.height - margin;
  document.font('Helvetica-Bold').fontSize(16).text(printable(title));
  if (statement) document.moveDown().font('Helvetica').fontSize(10).text(printable(statement));
  for (const section of sections) {
    if (document.y > bottom() - 60) document.addPage();
    document.moveDown().font('Helvetica-Bold').fontSize(12).text(section.title, margin).moveDown(0.3);
    for (const [label, value] of section.facts) {
      document.font('Helvetica').fontSize(10);
      const height = document.heightOfString(printable(value), { width: width - labelWidth });
      if (document.y + height > bottom()) document.addPage();
      const { y } = document;
      document.fillColor('#555555').text(printable(label), margin, y, { width: labelWidth - 10 });
      document.fillColor('#000000').text(printable(value), margin + labelWidth, y, { width: width - labelWidth });
      document.moveDown(0.2);
    }
  }
  document.end();
  return done;
}
