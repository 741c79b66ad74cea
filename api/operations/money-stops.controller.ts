import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { confirmLift, declineLift, requestLift, setMoneyStop, viewActiveStops } from '#domain/money-stops/money-stops';
import { Database, type EntityManager } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** Stops of captures and payouts: one person sets them, two lift them. */
@Controller()
export class MoneyStopsController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.moneyStops)
  async list() {
    return { stops: await viewActiveStops(this.database.fork()) };
  }

  @Serve(endpoints.setMoneyStop)
  async set(@Call() { body, person }: CallOf<typeof endpoints.setMoneyStop>) {
    return this.#change((em) => setMoneyStop(em, { ...body, personId: person.user.id, at: new Date() }));
  }

  @Serve(endpoints.requestLift)
  async request(@Call() { params, body, person }: CallOf<typeof endpoints.requestLift>) {
    const { reason } = body;
    const input = { stopId: params.id, personId: person.user.id, reason, at: new Date() };
    return this.#change((em) => requestLift(em, input));
  }

  @Serve(endpoints.confirmLift)
  async confirm(@Call() { params, person }: CallOf<typeof endpoints.confirmLift>) {
    return this.#change((em) => confirmLift(em, { stopId: params.id, personId: person.user.id, at: new Date() }));
  }

  @Serve(endpoints.declineLift)
  async decline(@Call() { params }: CallOf<typeof endpoints.declineLift>) {
    return this.#change((em) => declineLift(em, { stopId: params.id }));
  }

  /** Answers with every stop that is active after the change. */
  async #change(change: (em: EntityManager) => Promise<unknown>) {
    return this.database.transaction(async (em) => {
      await change(em);
      return { stops: await viewActiveStops(em) };
    });
  }
}
