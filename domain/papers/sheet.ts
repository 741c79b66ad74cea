import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import type { Locale } from '#core/locale/locale';
import type { PaperLine, PaperSection } from '#core/papers/receipt-lines';
import { type Font, fontBytes, printable } from './fonts.ts';

/** Where a printed paper leads: a page that says whether it is true. */
export interface Seal {
  readonly url: string;
  /** The code as people type it. */
  readonly code: string;
  /** Sentences beside the QR: what it is for, and when the paper was issued. */
  readonly lines: readonly string[];
}

const ink = '#14213d';
const faint = '#5d574b';
const rule = '#d9d1c1';
const margin = 36;
const footerHeight = 16;
const sealSize = 74;
const lineSize = 9;
/** The modules of a QR code that leads to an address, row by row. */
export const qrModules = (url: string): boolean[][] => encode(url, { ecc: 'M', border: 0 }).data;

/** Whether a table's column stands at its left or at its right. */
export interface Column {
  readonly title: string;
  readonly width: number;
  readonly right?: boolean;
}

/**
 * A paper in the product's look: A4 pages with tags, a language and a title for screen readers, fonts of its own. The same calls give
 * the same bytes, so a hash of them proves a copy. What is written lies below what was written before it.
 */
export class Sheet {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #footer: string;
  #pages = 0;
  #y = 0;

  /** `footer` stands on every page before its number. */
  constructor(options: { title: string; language: Locale; footer: string; landscape?: boolean }) {
    const { title, language, footer, landscape } = options;
    this.#footer = footer;
    this.#pdf = new PDFDocument({
      ...{ size: 'A4', layout: landscape ? 'landscape' : 'portrait', margin: 0, autoFirstPage: false },
      ...{ pdfVersion: '1.7', lang: language === 'es' ? 'es-BO' : 'en-US', tagged: true, displayTitle: true },
      // The file's id is made of these: a date of its own would make every copy another file.
      info: {
        Title: printable(title),
        Author: 'Chasqui',
        Creator: 'Chasqui',
        Producer: 'Chasqui',
        CreationDate: new Date(0),
      },
    });
    for (const [name, bytes] of Object.entries(fontBytes)) this.#pdf.registerFont(name, bytes);
    this.#page();
  }

  get #width() {
    return this.#pdf.page.width - 2 * margin;
  }

  get #bottom() {
    return this.#pdf.page.height - margin - footerHeight;
  }

  #page(): void {
    const pdf = this.#pdf.addPage();
    this.#pages += 1;
    const { width, height } = pdf.page;
    this.#artifact(() => {
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
      const number = String(this.#pages);
      pdf.text(number, width - margin - pdf.widthOfString(number), y, { lineBreak: false });
    });
    this.#pdf.fillColor(ink);
    this.#y = margin - 8;
  }

  /** Ornament and repetition: nothing that is read aloud. */
  #artifact(draw: () => void): void {
    this.#pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.#pdf.endMarkedContent();
  }

  #tagged(type: string, draw: () => void, parent?: PDFKit.PDFStructureElement, options = {}): void {
    const element = this.#pdf.struct(type as 'P', options, draw);
    if (parent) parent.add(element);
    else this.#pdf.addStructure(element);
  }

  #heightOf(text: string, font: Font, size: number, width: number): number {
    return this.#pdf.font(font).fontSize(size).heightOfString(printable(text), { width, lineGap: 1.2 });
  }

  #write(text: string, font: Font, size: number, box: { x: number; y: number; width: number; right?: boolean }): void {
    const { x, y, width, right } = box;
    this.#pdf.font(font).fontSize(size);
    this.#pdf.text(printable(text), x, y, { width, align: right ? 'right' : 'left', lineGap: 1.2 });
  }

  /** Begins a new page unless `height` points are left on this one. Returns whether it did. */
  #ensure(height: number): boolean {
    if (this.#y + height <= this.#bottom) return false;
    this.#page();
    return true;
  }

  /** Mark and name at the left, the paper's title and what it is about at the right. */
  head(title: string, about: readonly string[]): void {
    const pdf = this.#pdf;
    const top = this.#y;
    this.#artifact(() => {
      pdf.save().translate(margin, top).scale(0.95);
      const band = (x: number) => `M${x} 4h7l8 12-8 12h-7l8-12z`;
      for (const [x, color] of [
        [0, '#c8281e'],
        [8.5, '#f2b705'],
        [17, '#0b6b43'],
      ] as const)
        pdf.path(band(x)).fill(color);
      pdf.restore();
    });
    pdf.fillColor(ink);
    const right = { x: margin + 160, width: this.#width - 160, right: true };
    this.#tagged('H1', () => this.#write(title, 'heading', 19, { ...right, y: top }));
    this.#tagged('P', () => this.#write('Chasqui', 'heading', 19, { x: margin + 40, y: top + 3, width: 120 }));
    this.#y = top + this.#heightOf(title, 'heading', 19, right.width) + 2;
    for (const line of about) {
      this.#tagged('P', () => this.#write(line, 'regular', 10, { ...right, y: this.#y }));
      this.#y += this.#heightOf(line, 'regular', 10, right.width);
    }
    this.#y = Math.max(this.#y, top + 34) + 8;
  }

  /** The one sentence that matters most, in a frame. */
  standing(text: string): void {
    const width = this.#width - 26;
    const height = this.#heightOf(text, 'strong', 10, width) + 12;
    this.#ensure(height);
    const top = this.#y;
    this.#artifact(() => {
      this.#pdf.rect(margin, top, this.#width, height).fill('#f5f0e6');
      this.#pdf.rect(margin, top, 4, height).fill('#0b6b43');
    });
    this.#pdf.fillColor(ink);
    this.#tagged('P', () => this.#write(text, 'strong', 10, { x: margin + 14, y: top + 7, width }));
    this.#y = top + height + 10;
  }

  /** Short blocks beside each other, the first line of each in bold. */
  columns(blocks: readonly { title: string; lines: readonly string[] }[]): void {
    const gap = 16;
    const width = (this.#width - gap * (blocks.length - 1)) / blocks.length;
    const heights = blocks.map(({ lines }) =>
      lines.reduce(
        (sum, line, index) => sum + this.#heightOf(line, index === 0 ? 'strong' : 'regular', lineSize, width),
        14,
      ),
    );
    this.#ensure(Math.max(...heights));
    const top = this.#y;
    for (const [index, { title, lines }] of blocks.entries()) {
      const x = margin + index * (width + gap);
      this.#small(title, x, top, width);
      let y = top + 14;
      for (const [line, text] of lines.entries()) {
        const font = line === 0 ? 'strong' : 'regular';
        this.#tagged('P', () => this.#write(text, font, lineSize, { x, y, width }));
        y += this.#heightOf(text, font, lineSize, width);
      }
    }
    this.#y = top + Math.max(...heights) + 8;
  }

  #small(title: string, x: number, y: number, width: number): void {
    this.#pdf.fillColor(faint);
    this.#tagged('H2', () => this.#write(title, 'strong', 8.5, { x, y, width }));
    this.#pdf.fillColor(ink);
  }

  /** Labels at the left, values at the right, a rule above each, the total in bold. */
  section({ title, lines, total }: PaperSection): void {
    const first = lines[0] ?? total;
    this.#ensure(14 + (first ? this.#lineHeight(first, 'regular') : 0) + 16);
    this.#small(title, margin, this.#y, this.#width);
    this.#y += 13;
    const table = this.#pdf.struct('Table');
    this.#pdf.addStructure(table);
    for (const line of lines) this.#line(table, line, 'regular');
    if (total) this.#line(table, total, 'strong');
    table.end();
    this.#y += 7;
  }

  #lineHeight([label, value]: PaperLine, font: Font): number {
    const half = this.#width / 2 - 8;
    return Math.max(this.#heightOf(label, font, lineSize, half), this.#heightOf(value, font, lineSize, half)) + 4;
  }

  #line(table: PDFKit.PDFStructureElement, line: PaperLine, font: Font): void {
    const height = this.#lineHeight(line, font);
    this.#ensure(height);
    const top = this.#y;
    const width = this.#width / 2 - 8;
    this.#rule(top, font === 'strong' ? 1.2 : 0.5, font === 'strong' ? ink : rule);
    const row = this.#pdf.struct('TR');
    table.add(row);
    const [label, value] = line;
    this.#tagged('TH', () => this.#write(label, font, lineSize, { x: margin, y: top + 3, width }), row, {
      scope: 'Row',
    });
    const right = { x: margin + this.#width - width, y: top + 3, width, right: true };
    this.#tagged('TD', () => this.#write(value, font, lineSize, right), row);
    row.end();
    this.#y = top + height;
  }

  #rule(y: number, thickness: number, color: string): void {
    this.#artifact(() => {
      const pdf = this.#pdf.lineWidth(thickness).strokeColor(color);
      pdf
        .moveTo(margin, y)
        .lineTo(margin + this.#width, y)
        .stroke();
    });
  }

  /** One paragraph of a letter, over as many pages as it takes; its own line breaks stay. */
  body(text: string): void {
    for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
      this.#ensure(this.#heightOf(line, 'regular', 10.5, this.#width));
      this.#tagged('P', () => this.#write(line, 'regular', 10.5, { x: margin, y: this.#y, width: this.#width }));
      this.#y = this.#pdf.y + 5;
    }
    this.#y += 4;
  }

  /** Running text after a title; each paragraph may begin with words in bold. */
  paragraphs(title: string | null, texts: readonly (readonly [strong: string, text: string])[]): void {
    if (title) {
      this.#ensure(40);
      this.#small(title, margin, this.#y, this.#width);
      this.#y += 13;
    }
    for (const [strong, text] of texts) {
      const height = this.#heightOf(`${strong} ${text}`, 'strong', 8.5, this.#width);
      this.#ensure(height);
      const top = this.#y;
      this.#tagged('P', () => {
        this.#pdf.font('strong').fontSize(8.5);
        const options = { width: this.#width, lineGap: 1.2 };
        if (strong) this.#pdf.text(printable(`${strong} `), margin, top, { ...options, continued: true });
        this.#pdf.font('regular');
        if (strong) this.#pdf.text(printable(text), options);
        else this.#pdf.text(printable(text), margin, top, options);
      });
      this.#y = this.#pdf.y + 3;
    }
    this.#y += 4;
  }

  /** Begins a table whose rows are written one by one. Each page begins with its head. */
  table(columns: readonly Column[]): { row(cells: readonly string[]): void; end(): void } {
    const table = this.#pdf.struct('Table');
    this.#pdf.addStructure(table);
    const size = 8.5;
    const pad = 6;
    const write = (cells: readonly string[], font: Font, type: string) => {
      const top = this.#y;
      let x = margin;
      const row = this.#pdf.struct('TR');
      table.add(row);
      for (const [index, { width, right = false }] of columns.entries()) {
        const box = { x, y: top + 3, width: width - pad, right };
        const options = type === 'TH' ? { scope: 'Column' } : {};
        this.#tagged(type, () => this.#write(cells[index] ?? '', font, size, box), row, options);
        x += width;
      }
      row.end();
    };
    const heightOf = (cells: readonly string[], font: Font) =>
      Math.max(...columns.map(({ width }, index) => this.#heightOf(cells[index] ?? '', font, size, width - pad))) + 4;
    const titles = columns.map(({ title }) => title);
    const head = () => {
      write(titles, 'strong', 'TH');
      this.#y += heightOf(titles, 'strong');
    };
    this.#ensure(60);
    head();
    return {
      row: (cells) => {
        const height = heightOf(cells, 'regular');
        if (this.#ensure(height)) head();
        this.#rule(this.#y, 0.5, rule);
        this.#pdf.fillColor(ink);
        write(cells, 'regular', 'TD');
        this.#y += height;
      },
      end: () => {
        table.end();
        this.#y += 10;
      },
    };
  }

  /** The QR with what it is for. */
  seal({ url, code, lines }: Seal): void {
    this.#ensure(sealSize + 10);
    const pdf = this.#pdf;
    const top = this.#y + 4;
    const modules = qrModules(url);
    const side = sealSize / modules.length;
    const image = () => {
      pdf.fillColor('#000000');
      for (const [y, cells] of modules.entries()) {
        for (const [start, length] of runsOf(cells))
          pdf.rect(margin + start * side, top + y * side, length * side, side);
      }
      pdf.fill();
    };
    const bbox = [margin, top, margin + sealSize, top + sealSize];
    this.#tagged('Figure', image, undefined, { alt: `QR: ${url}`, bbox });
    pdf.fillColor(ink);
    const box = { x: margin + sealSize + 14, width: this.#width - sealSize - 14 };
    let y = top;
    for (const [index, line] of [code, ...lines, url].entries()) {
      const font = index === 0 ? 'strong' : 'regular';
      const size = index === 0 ? 11 : 8.5;
      this.#tagged('P', () => this.#write(line, font, size, { ...box, y }));
      y += this.#heightOf(line, font, size, box.width) + (index === 0 ? 3 : 1);
    }
    this.#y = Math.max(y, top + sealSize) + 8;
  }

  /** What is finished of the file and was not taken yet. */
  take(): Buffer | null {
    return this.#pdf.read() as Buffer | null;
  }

  /** Closes the file with the moment of its issue; returns the rest of it. */
  async end(issuedAt: Date): Promise<Buffer> {
    this.#pdf.info.CreationDate = issuedAt;
    this.#pdf.end();
    const chunks: Buffer[] = [];
    for await (const chunk of this.#pdf) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}

/** Where dark modules of a row begin, and how many stand together. */
function runsOf(cells: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [index, dark] of cells.entries()) {
    const last = runs.at(-1);
    if (dark && last && last[0] + last[1] === index) last[1] += 1;
    else if (dark) runs.push([index, 1]);
  }
  return runs;
}
