import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { LiveModule } from '../live/live.module.ts';
import { AccountController } from './account.controller.ts';
import { AdminAccountsController } from './admin-accounts.controller.ts';
import { AuthController } from './auth.controller.ts';
import { OwnPassword } from './own-password.ts';
import { PasswordHashes } from './password-hashes.ts';
import { SignInLimits } from './sign-in-limits.ts';

@Module({
  imports: [AccessModule, LiveModule],
  controllers: [AuthController, AccountController, AdminAccountsController],
  providers: [OwnPassword, PasswordHashes, SignInLimits],
})
export class AccountsModule {}
