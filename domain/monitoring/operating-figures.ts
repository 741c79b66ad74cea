import type { OperatingFigures } from '#core/contracts/http/monitoring';
import type { Database } from '#platform/database/database';
import { hideFigures, showFigures } from './figure-metrics.ts';
import { readOperatingFigures } from './figures.repository.ts';

/** How long (ms) figures are cached, which limits the load on the database. */
const keptMs = 5_000;

/** The operating figures, read once for concurrent callers. */
export class FiguresReader {
  readonly #database: Database;
  readonly #pauseAfterMs: number;
  #kept: { readonly at: number; readonly figures: Promise<OperatingFigures> } | undefined;

  /** `pauseAfterMs`: age of the last rate at which payments pause. */
  constructor(database: Database, { pauseAfterMs }: { readonly pauseAfterMs: number }) {
    this.#database = database;
    this.#pauseAfterMs = pauseAfterMs;
  }

  /** @throws when the database is unavailable. */
  read(): Promise<OperatingFigures> {
    const at = Date.now();
    if (this.#kept && at - this.#kept.at < keptMs) return this.#kept.figures;
    const figures = readOperatingFigures(this.#database.fork(), {
      now: new Date(at),
      pauseAfterMs: this.#pauseAfterMs,
    });
    const kept = { at, figures };
    this.#kept = kept;
    figures.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return figures;
  }

  /** Updates the gauges. @throws as `read`; then the gauges are absent. */
  async show(): Promise<void> {
    try {
      showFigures(await this.read(), new Date());
    } catch (error) {
      hideFigures();
      throw error;
    }
  }
}
