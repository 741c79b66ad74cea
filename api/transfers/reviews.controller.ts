import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { claimReview } from '#domain/review/claim';
import { askSender, listQuestions } from '#domain/review/questions';
import type { ReviewPolicy } from '#domain/review/review-views';
import { decideScreening, listReviews, viewReview } from '#domain/review/reviews';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** How long an approval waits for the check of names, in ms: longer than the list service is waited for. */
const screeningWaitMs = 6_000;

/** How this installation reviews transfers. */
export function reviewPolicyOf({
  limits,
  screensNames: screens,
  desk,
  newDeviceUsdMinor,
  prices,
}: ApiConfiguration): ReviewPolicy {
  const { reviewTwoPersonsUsdMinor: twoPersonsUsdMinor } = desk;
  return { limits, screens, screeningWaitMs, twoPersonsUsdMinor, newDeviceUsdMinor, prices };
}

/** What waits for a decision, and what helps to decide. */
@Controller()
export class ReviewsController {
  readonly #policy: ReviewPolicy;

  constructor(
    private readonly database: Database,
    @Inject(ENV) env: ApiConfiguration,
  ) {
    this.#policy = reviewPolicyOf(env);
  }

  @Serve(endpoints.reviews)
  list(@Call() { query }: CallOf<typeof endpoints.reviews>) {
    return listReviews(this.database.fork(), query, this.#policy);
  }

  @Serve(endpoints.review)
  async view(@Call() { params }: CallOf<typeof endpoints.review>) {
    return { review: await viewReview(this.database.fork(), params.id, this.#policy) };
  }

  @Serve(endpoints.claimReview)
  async claim(@Call() { params, body, person }: CallOf<typeof endpoints.claimReview>) {
    const input = { transferId: params.id, adminId: person.user.id, mine: body.mine, at: new Date() };
    return { review: await claimReview(this.database, input, this.#policy) };
  }

  @Serve(endpoints.decideScreening)
  async screening(@Call() { params, body, person }: CallOf<typeof endpoints.decideScreening>) {
    const input = { transferId: params.id, adminId: person.user.id, decision: body, at: new Date() };
    return { review: await decideScreening(this.database, input, this.#policy) };
  }

  @Serve(endpoints.reviewQuestions)
  questions(@Call() { params, query }: CallOf<typeof endpoints.reviewQuestions>) {
    return listQuestions(this.database.fork(), params.id, query);
  }

  @Serve(endpoints.askSender)
  ask(@Call() { params, body, person }: CallOf<typeof endpoints.askSender>) {
    const question = { id: body.id, code: body.code ?? null, note: body.note || null };
    return askSender(this.database, { transferId: params.id, adminId: person.user.id, ...question, at: new Date() });
  }
}
