import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { FiguresReader } from '#domain/monitoring/operating-figures';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** The figures that monitoring gets, for admins. */
@Controller()
export class FiguresController {
  readonly #figures: FiguresReader;

  constructor(database: Database, @Inject(ENV) env: ApiConfiguration) {
    this.#figures = new FiguresReader(database, env.rates);
  }

  @Serve(endpoints.operatingFigures)
  async read() {
    return this.#figures.read();
  }
}
