import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { rateLimited } from '../access/rate-limit.guard.ts';
import { servedEndpoint } from './serve.ts';

/**
 * Refuses to start an api that serves an endpoint of the contract twice or not at all, or that limits calls of one whose
 * contract does not say so.
 */
@Injectable()
export class ContractCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const handlers = this.discovery.getControllers().flatMap(({ instance }) => {
      const prototype = Object.getPrototypeOf(instance);
      return this.scanner.getAllMethodNames(prototype).map((name) => prototype[name]);
    });
    const endpointOf = (handler: () => unknown) => this.reflector.get<Endpoint | undefined>(servedEndpoint, handler);
    const served = handlers.map(endpointOf);
    const wrong = Object.entries<Endpoint>(endpoints)
      .map(([name, endpoint]) => ({ name, times: served.filter((one) => one === endpoint).length }))
      .filter(({ times }) => times !== 1);
    if (wrong.length > 0) {
      throw new Error(
        `Endpoints not served exactly once: ${wrong.map(({ name, times }) => `${name} (${times})`).join(', ')}`,
      );
    }
    const undeclared = handlers
      .filter((handler) => this.reflector.get(rateLimited, handler) !== undefined)
      .map(endpointOf)
      .filter((endpoint) => !endpoint?.failures?.includes('too_many_requests'));
    if (undeclared.length > 0) {
      throw new Error(`Limited endpoints without too_many_requests: ${undeclared.map((one) => one?.path).join(', ')}`);
    }
  }
}
