import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.ts';
import { NetworkLimitGuard, RateLimitGuard } from './rate-limit.guard.ts';
import { Sessions } from './sessions.ts';

/** Sessions, and the guards of every call. */
@Module({
  providers: [
    Sessions,
    { provide: APP_GUARD, useClass: NetworkLimitGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    // After the access guard, because it limits by the person that guard found.
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [Sessions],
})
export class AccessModule {}
