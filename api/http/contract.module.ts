import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { ContractInterceptor } from './contract.interceptor.ts';
import { ContractCheck } from './contract-check.ts';
import { FailureFilter } from './failure.filter.ts';

/** Keeps every call to the endpoints of the contract: input, output and failures. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: APP_INTERCEPTOR, useClass: ContractInterceptor },
    { provide: APP_FILTER, useClass: FailureFilter },
    ContractCheck,
  ],
})
export class ContractModule {}
