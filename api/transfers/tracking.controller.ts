import { Controller } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TrackingView } from '#core/contracts/http/tracking';
import { confirmReceived, readTracking, shareTransfer } from '#domain/transfers/tracking';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** The tracking page that a sender shares, and the family's confirmation on it. */
@Controller()
export class TrackingController {
  constructor(private readonly database: Database) {}

  @Serve(endpoints.createTrackingLink)
  async share(@Call() { params, person }: CallOf<typeof endpoints.createTrackingLink>): Promise<{ token: string }> {
    const shared = { userId: person.user.id, transferId: params.id, at: new Date() };
    return this.database.transaction((em) => shareTransfer(em, shared));
  }

  @Serve(endpoints.readTracking)
  @RateLimited('trackingReadsPerNetwork')
  async read(@Call() { body }: CallOf<typeof endpoints.readTracking>): Promise<TrackingView> {
    return readTracking(this.database.fork(), body.token);
  }

  @Serve(endpoints.confirmReceived)
  @RateLimited('trackingReadsPerNetwork')
  async confirm(@Call() { body }: CallOf<typeof endpoints.confirmReceived>): Promise<TrackingView> {
    return this.database.transaction((em) => confirmReceived(em, body.token, new Date()));
  }
}
