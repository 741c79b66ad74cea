import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { servedEndpoint } from './serve.ts';

/** Refuses to start an api that serves an endpoint of the contract twice or not at all. */
@Injectable()
export class ContractCoverage implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const served = this.discovery.getControllers().flatMap(({ instance }) => {
      const prototype = Object.getPrototypeOf(instance);
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => this.reflector.get<Endpoint | undefined>(servedEndpoint, prototype[name]))
        .filter((endpoint) => endpoint !== undefined);
    });
    const wrong = Object.entries<Endpoint>(endpoints)
      .map(([name, endpoint]) => ({ name, times: served.filter((one) => one === endpoint).length }))
      .filter(({ times }) => times !== 1);
    if (wrong.length > 0) {
      throw new Error(
        `Endpoints not served exactly once: ${wrong.map(({ name, times }) => `${name} (${times})`).join(', ')}`,
      );
    }
  }
}
