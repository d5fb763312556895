package dev.sluice.governor;

import dev.sluice.governor.admit.UpstreamChoice;
import dev.sluice.governor.fetch.Rotation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The upstreams in use at one moment as admission chooses among them. The drain's. */
final class UpstreamsInUse implements UpstreamChoice, Rotation.Charges {

  private final Rotation rotation;
  private final Rotation.ByCharges choice;
  private UpstreamChoice.@Nullable Charges charges;

  UpstreamsInUse(Rotation rotation) {
    this.rotation = rotation;
    this.choice = rotation.byCharges();
  }

  @Override
  public List<String> inUse() {
    return rotation.labels();
  }

  @Override
  public int configured() {
    return rotation.configured();
  }

  @Override
  public int choose(long affinity, UpstreamChoice.Charges now) {
    charges = now;
    return choice.choose(affinity, this);
  }

  @Override
  public int used(int at) {
    return charges == null ? 0 : charges.used(at);
  }

  @Override
  public boolean hasRoom(int at) {
    return charges != null && charges.hasRoom(at);
  }
}
