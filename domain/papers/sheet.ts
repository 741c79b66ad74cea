import { encode } from 'uqr';
import type { Locale } from '#core/locale/locale';
import type { PaperLine, PaperSection } from '#core/papers/receipt-lines';
import { type Font, printable } from './fonts.ts';
import { faint, ink, margin, Pages } from './pages.ts';

/** The QR target of a printed paper: the page that verifies it. */
export interface Seal {
  readonly url: string;
  /** The code in the form that people type. */
  readonly code: string;
  /** Lines next to the QR: its purpose, the date of issue and the issuer. */
  readonly lines: readonly string[];
}

const ruleColor = '#d9d1c1';
const sealSize = 74;
const lineSize = 9;
/** The modules of a QR code for a URL, row by row. */
const qrModules = (url: string): boolean[][] => encode(url, { ecc: 'M', border: 0 }).data;

/** A table column, aligned left or right. */
export interface Column {
  readonly title: string;
  readonly width: number;
  readonly right?: boolean;
}

/** A paper in the product's design. Content is written from top to bottom. */
export class Sheet {
  readonly #pages: Pages;

  /** `footer` is printed on every page before its number. */
  constructor(options: { title: string; language: Locale; footer: string; landscape?: boolean }) {
    this.#pages = new Pages(options);
  }

  /** Logo and name at the left, the paper's title and subject at the right. */
  head(title: string, about: readonly string[]): void {
    const pdf = this.#pages.pdf;
    const top = this.#pages.y;
    this.#pages.artifact(() => {
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
    const right = { x: margin + 160, width: this.#pages.width - 160, right: true };
    this.#pages.tagged('H1', () => this.#pages.write(title, 'heading', 19, { ...right, y: top }));
    this.#pages.tagged('P', () =>
      this.#pages.write('Chasqui', 'heading', 19, { x: margin + 40, y: top + 3, width: 120 }),
    );
    this.#pages.y = top + this.#pages.heightOf(title, 'heading', 19, right.width) + 2;
    for (const line of about) {
      this.#pages.tagged('P', () => this.#pages.write(line, 'regular', 10, { ...right, y: this.#pages.y }));
      this.#pages.y += this.#pages.heightOf(line, 'regular', 10, right.width);
    }
    this.#pages.y = Math.max(this.#pages.y, top + 34) + 8;
  }

  /** The most important sentence, in a frame. */
  standing(text: string): void {
    const width = this.#pages.width - 26;
    const height = this.#pages.heightOf(text, 'strong', 10, width) + 12;
    this.#pages.ensure(height);
    const top = this.#pages.y;
    this.#pages.artifact(() => {
      this.#pages.pdf.rect(margin, top, this.#pages.width, height).fill('#f5f0e6');
      this.#pages.pdf.rect(margin, top, 4, height).fill('#0b6b43');
    });
    this.#pages.pdf.fillColor(ink);
    this.#pages.tagged('P', () => this.#pages.write(text, 'strong', 10, { x: margin + 14, y: top + 7, width }));
    this.#pages.y = top + height + 10;
  }

  /** Short blocks side by side, with the first line of each in bold. */
  columns(blocks: readonly { title: string; lines: readonly string[] }[]): void {
    const gap = 16;
    const width = (this.#pages.width - gap * (blocks.length - 1)) / blocks.length;
    const heights = blocks.map(({ lines }) =>
      lines.reduce(
        (sum, line, index) => sum + this.#pages.heightOf(line, index === 0 ? 'strong' : 'regular', lineSize, width),
        14,
      ),
    );
    this.#pages.ensure(Math.max(...heights));
    const top = this.#pages.y;
    for (const [index, { title, lines }] of blocks.entries()) {
      const x = margin + index * (width + gap);
      this.#small(title, x, top, width);
      let y = top + 14;
      for (const [line, text] of lines.entries()) {
        const font = line === 0 ? 'strong' : 'regular';
        this.#pages.tagged('P', () => this.#pages.write(text, font, lineSize, { x, y, width }));
        y += this.#pages.heightOf(text, font, lineSize, width);
      }
    }
    this.#pages.y = top + Math.max(...heights) + 8;
  }

  #small(title: string, x: number, y: number, width: number): void {
    this.#pages.pdf.fillColor(faint);
    this.#pages.tagged('H2', () => this.#pages.write(title, 'strong', 8.5, { x, y, width }));
    this.#pages.pdf.fillColor(ink);
  }

  /** Labels at the left, values at the right, a rule above each, the total in bold. */
  section({ title, lines, total }: PaperSection): void {
    const first = lines[0] ?? total;
    this.#pages.ensure(14 + (first ? this.#lineHeight(first, 'regular') : 0) + 16);
    this.#small(title, margin, this.#pages.y, this.#pages.width);
    this.#pages.y += 13;
    const table = this.#pages.pdf.struct('Table');
    this.#pages.pdf.addStructure(table);
    for (const line of lines) this.#line(table, line, 'regular');
    if (total) this.#line(table, total, 'strong');
    table.end();
    this.#pages.y += 7;
  }

  #lineHeight([label, value]: PaperLine, font: Font): number {
    const half = this.#pages.width / 2 - 8;
    return (
      Math.max(this.#pages.heightOf(label, font, lineSize, half), this.#pages.heightOf(value, font, lineSize, half)) + 4
    );
  }

  #line(table: PDFKit.PDFStructureElement, line: PaperLine, font: Font): void {
    const height = this.#lineHeight(line, font);
    this.#pages.ensure(height);
    const top = this.#pages.y;
    const width = this.#pages.width / 2 - 8;
    this.#pages.rule(top, font === 'strong' ? 1.2 : 0.5, font === 'strong' ? ink : ruleColor);
    const row = this.#pages.pdf.struct('TR');
    table.add(row);
    const [label, value] = line;
    this.#pages.tagged('TH', () => this.#pages.write(label, font, lineSize, { x: margin, y: top + 3, width }), row, {
      scope: 'Row',
    });
    const right = { x: margin + this.#pages.width - width, y: top + 3, width, right: true };
    this.#pages.tagged('TD', () => this.#pages.write(value, font, lineSize, right), row);
    row.end();
    this.#pages.y = top + height;
  }

  /** A paragraph of a letter, over as many pages as needed; its line breaks are kept. */
  body(text: string): void {
    for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
      this.#pages.ensure(this.#pages.heightOf(line, 'regular', 10.5, this.#pages.width));
      this.#pages.tagged('P', () =>
        this.#pages.write(line, 'regular', 10.5, { x: margin, y: this.#pages.y, width: this.#pages.width }),
      );
      this.#pages.y = this.#pages.pdf.y + 5;
    }
    this.#pages.y += 4;
  }

  /** Running text after a title; each paragraph may start in bold. */
  paragraphs(title: string | null, texts: readonly (readonly [strong: string, text: string])[]): void {
    if (title) {
      this.#pages.ensure(40);
      this.#small(title, margin, this.#pages.y, this.#pages.width);
      this.#pages.y += 13;
    }
    for (const [strong, text] of texts) {
      const height = this.#pages.heightOf(`${strong} ${text}`, 'strong', 8.5, this.#pages.width);
      this.#pages.ensure(height);
      const top = this.#pages.y;
      this.#pages.tagged('P', () => {
        this.#pages.pdf.font('strong').fontSize(8.5);
        const options = { width: this.#pages.width, lineGap: 1.2 };
        if (strong) this.#pages.pdf.text(printable(`${strong} `), margin, top, { ...options, continued: true });
        this.#pages.pdf.font('regular');
        if (strong) this.#pages.pdf.text(printable(text), options);
        else this.#pages.pdf.text(printable(text), margin, top, options);
      });
      this.#pages.y = this.#pages.pdf.y + 3;
    }
    this.#pages.y += 4;
  }

  /** Starts a table whose rows are written one by one. Each page repeats its header. */
  table(columns: readonly Column[]): { row(cells: readonly string[]): void; end(): void } {
    const table = this.#pages.pdf.struct('Table');
    this.#pages.pdf.addStructure(table);
    const size = 8.5;
    const pad = 6;
    const write = (cells: readonly string[], font: Font, type: string) => {
      const top = this.#pages.y;
      let x = margin;
      const row = this.#pages.pdf.struct('TR');
      table.add(row);
      for (const [index, { width, right = false }] of columns.entries()) {
        const box = { x, y: top + 3, width: width - pad, right };
        const options = type === 'TH' ? { scope: 'Column' } : {};
        this.#pages.tagged(type, () => this.#pages.write(cells[index] ?? '', font, size, box), row, options);
        x += width;
      }
      row.end();
    };
    const heightOf = (cells: readonly string[], font: Font) =>
      Math.max(
        ...columns.map(({ width }, index) => this.#pages.heightOf(cells[index] ?? '', font, size, width - pad)),
      ) + 4;
    const titles = columns.map(({ title }) => title);
    const head = () => {
      write(titles, 'strong', 'TH');
      this.#pages.y += heightOf(titles, 'strong');
    };
    this.#pages.ensure(60);
    head();
    return {
      row: (cells) => {
        const height = heightOf(cells, 'regular');
        if (this.#pages.ensure(height)) head();
        this.#pages.rule(this.#pages.y, 0.5, ruleColor);
        this.#pages.pdf.fillColor(ink);
        write(cells, 'regular', 'TD');
        this.#pages.y += height;
      },
      end: () => {
        table.end();
        this.#pages.y += 10;
      },
    };
  }

  /**
   * The QR with its explanation. `notes` are printed above it on the same page, so that a last page never has a seal
   * alone.
   */
  seal({ url, code, lines }: Seal, notes?: string): void {
    const box = { x: margin + sealSize + 14, width: this.#pages.width - sealSize - 14 };
    const texts = [code, ...lines, url].map((text, index) => {
      const [font, size, gap] = index === 0 ? (['strong', 11, 3] as const) : (['regular', 8.5, 1] as const);
      return { text, font, size, height: this.#pages.heightOf(text, font, size, box.width) + gap };
    });
    const height =
      Math.max(
        sealSize,
        texts.reduce((sum, text) => sum + text.height, 0),
      ) + 10;
    const notesHeight = notes ? this.#pages.heightOf(notes, 'strong', 8.5, this.#pages.width) + 8 : 0;
    this.#pages.ensure(notesHeight + height);
    if (notes) this.paragraphs(null, [['', notes]]);
    const pdf = this.#pages.pdf;
    const top = this.#pages.y + 4;
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
    this.#pages.tagged('Figure', image, undefined, { alt: `QR: ${url}`, bbox });
    pdf.fillColor(ink);
    let y = top;
    for (const { text, font, size, height } of texts) {
      this.#pages.tagged('P', () => this.#pages.write(text, font, size, { ...box, y }));
      y += height;
    }
    this.#pages.y = Math.max(y, top + sealSize) + 8;
  }

  /** The part of the file that is complete and was not taken yet. */
  take(): Buffer | null {
    return this.#pages.take();
  }

  /** Completes the file with its time of issue; returns the rest of it. */
  end(issuedAt: Date): Promise<Buffer> {
    return this.#pages.end(issuedAt);
  }
}

/** Runs of adjacent dark modules in a row. */
function runsOf(cells: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [index, dark] of cells.entries()) {
    const last = runs.at(-1);
    if (dark && last && last[0] + last[1] === index) last[1] += 1;
    else if (dark) runs.push([index, 1]);
  }
  return runs;
}
