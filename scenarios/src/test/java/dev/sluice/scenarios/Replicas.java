package dev.sluice.scenarios;

import dev.sluice.reports.Gate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Servers of one build beside each other, each with counters of its own. Thread-safe. */
final class Replicas implements AutoCloseable {

  private final List<Storefront> storefronts;

  private Replicas(List<Storefront> storefronts) {
    this.storefronts = storefronts;
  }

  static Replicas start(Gate gate, int count) {
    List<Storefront> started = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        started.add(Storefront.start(gate));
      }
      return new Replicas(List.copyOf(started));
    } catch (RuntimeException | Error e) {
      started.forEach(Storefront::close);
      throw e;
    }
  }

  List<Storefront> all() {
    return storefronts;
  }

  /** Renders of a page so far, one number for each server. */
  List<Integer> renders(String page) throws IOException, InterruptedException {
    List<Integer> renders = new ArrayList<>();
    for (Storefront storefront : storefronts) {
      renders.add(storefront.stats().renders(page));
    }
    return renders;
  }

  /** How many of the processes are there. */
  long alive() {
    return storefronts.stream().filter(Storefront::isAlive).count();
  }

  @Override
  public void close() {
    storefronts.forEach(Storefront::close);
  }
}
