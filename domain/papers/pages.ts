import PDFDocument from 'pdfkit';
import type { Locale } from '#core/locale/locale';
import { type Font, fontBytes, printable } from './fonts.ts';

/** Text color. */
export const ink = '#14213d';
export const faint = '#5d574b';
/** Page margin, in points. */
export const margin = 36;
const footerHeight = 16;

/** Position of a text on its page, in points. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly right?: boolean;
}

/**
 * The pages of a paper: A4, tagged, with a language and a title for screen readers, embedded fonts, and page numbers.
 * Deterministic: the same calls produce the same bytes, so a hash of them proves a copy.
 */
export class Pages {
  readonly pdf: PDFKit.PDFDocument;
  /** Vertical position on this page, in points. */
  y = 0;
  readonly #footer: string;
  #count = 0;

  /** `footer` is printed on every page before its number. */
  constructor(options: { title: string; language: Locale; footer: string; landscape?: boolean }) {
    const { title, language, footer, landscape } = options;
    this.#footer = footer;
    this.pdf = new PDFDocument({
      ...{ size: 'A4', layout: landscape ? 'landscape' : 'portrait', margin: 0, autoFirstPage: false },
      ...{ pdfVersion: '1.7', lang: language === 'es' ? 'es-BO' : 'en-US', tagged: true, displayTitle: true },
      // The file's id derives from these: a creation date would make every copy a different file.
      info: {
        Title: printable(title),
        Author: 'Chasqui',
        Creator: 'Chasqui',
        Producer: 'Chasqui',
        CreationDate: new Date(0),
      },
    });
    for (const [name, bytes] of Object.entries(fontBytes)) this.pdf.registerFont(name, bytes);
    this.#begin();
  }

  /** Width between the margins, in points. */
  get width() {
    return this.pdf.page.width - 2 * margin;
  }

  get #bottom() {
    return this.pdf.page.height - margin - footerHeight;
  }

  #begin(): void {
    const pdf = this.pdf.addPage();
    this.#count += 1;
    const { width, height } = pdf.page;
    this.artifact(() => {
      for (let x = 0; x < width; x += 68) {
        pdf
          .rect(x, 0, 28, 6)
          .fill('#a41f17')
          .rect(x + 28, 0, 6, 6)
          .fill('#f2b705');
        pdf
          .rect(x + 34, 0, 28, 6)
          .fill('#0b6b43')
          .rect(x + 62, 0, 6, 6)
          .fill('#f2b705');
      }
      pdf.font('regular').fontSize(7.5).fillColor(faint);
      const y = height - margin - 8;
      pdf.text(printable(this.#footer), margin, y, { lineBreak: false });
      const number = String(this.#count);
      pdf.text(number, width - margin - pdf.widthOfString(number), y, { lineBreak: false });
    });
    this.pdf.fillColor(ink);
    this.y = margin - 8;
  }

  /** Decoration and repeated elements, which screen readers skip. */
  artifact(draw: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.pdf.endMarkedContent();
  }

  /** Content that screen readers read with its tag, within `parent` or after the previous content. */
  tagged(type: string, draw: () => void, parent?: PDFKit.PDFStructureElement, options = {}): void {
    const element = this.pdf.struct(type as 'P', options, draw);
    if (parent) parent.add(element);
    else this.pdf.addStructure(element);
  }

  /** Height of a text, in points. */
  heightOf(text: string, font: Font, size: number, width: number): number {
    return this.pdf.font(font).fontSize(size).heightOfString(printable(text), { width, lineGap: 1.2 });
  }

  /** Writes a text untagged; use `tagged` around it. */
  write(text: string, font: Font, size: number, box: Box): void {
    const { x, y, width, right } = box;
    this.pdf.font(font).fontSize(size);
    this.pdf.text(printable(text), x, y, { width, align: right ? 'right' : 'left', lineGap: 1.2 });
  }

  /** Starts a new page unless `height` points are left on this one. Returns whether it did. */
  ensure(height: number): boolean {
    if (this.y + height <= this.#bottom) return false;
    this.#begin();
    return true;
  }

  /** A line between the margins. */
  rule(y: number, thickness: number, color: string): void {
    this.artifact(() => {
      const pdf = this.pdf.lineWidth(thickness).strokeColor(color);
      pdf
        .moveTo(margin, y)
        .lineTo(margin + this.width, y)
        .stroke();
    });
  }

  /** The part of the file that is complete and was not taken yet. */
  take(): Buffer | null {
    return this.pdf.read() as Buffer | null;
  }

  /** Completes the file with its time of issue; returns the rest of it. */
  async end(issuedAt: Date): Promise<Buffer> {
    this.pdf.info.CreationDate = issuedAt;
    this.pdf.end();
    const chunks: Buffer[] = [];
    for await (const chunk of this.pdf) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}
