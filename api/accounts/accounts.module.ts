import { Module } from '@nestjs/common';
import type { ApiConfiguration } from '#platform/configuration/api';
import { SecretBox } from '#platform/secret-box';
import { AccessModule } from '../access/access.module.ts';
import { LiveModule } from '../live/live.module.ts';
import { ENV } from '../tokens.ts';
import { AccountController } from './account.controller.ts';
import { AdminAccountsController } from './admin-accounts.controller.ts';
import { AuthController } from './auth.controller.ts';
import { FactorProofs } from './factor-proofs.ts';
import { IdentityController } from './identity.controller.ts';
import { OwnPassword } from './own-password.ts';
import { PasskeyController } from './passkey.controller.ts';
import { PasswordHashes } from './password-hashes.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { PushController } from './push.controller.ts';
import { SecondFactorController } from './second-factor.controller.ts';
import { SignInLimits } from './sign-in-limits.ts';

@Module({
  imports: [AccessModule, LiveModule],
  controllers: [
    AuthController,
    AccountController,
    PushController,
    SecondFactorController,
    PasskeyController,
    AdminAccountsController,
    IdentityController,
  ],
  providers: [
    FactorProofs,
    OwnPassword,
    PasswordHashes,
    PendingSignIns,
    SignInLimits,
    { provide: SecretBox, inject: [ENV], useFactory: (env: ApiConfiguration) => new SecretBox(env.secondFactorKeys) },
  ],
})
export class AccountsModule {}
