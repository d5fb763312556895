package dev.sluice;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The directions between packages and the rules of style that a machine can hold. */
final class ArchitectureTest {

  private static final JavaClasses EVERYTHING =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(Layout.ROOT);
  private static final JavaClasses ENGINE =
      EVERYTHING.that(
          DescribedPredicate.not(resideInAnyPackage(Layout.ROOT + ".fixture..")).as("the engine"));
  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.OnlyIncludeTests())
          .importPackages(Layout.ROOT);

  private static final String VAGUE =
      ".*(Manager|Helper|Utils?|Impl|Data|Info|Common|Base)|Abstract.*";
  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.lang.Thread.sleep",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system");

  @Test
  void packages_dependOnlyOnWhatTheTableAllows() {
    assertThat(ENGINE.stream().flatMap(ArchitectureTest::strayDependencies)).isEmpty();
  }

  @Test
  void packages_areInTheTable() {
    assertThat(ENGINE.stream().map(ArchitectureTest::relative).filter(name -> !isUnbound(name)))
        .isSubsetOf(Layout.table().keySet());
  }

  @Test
  void packages_haveNoCycles() {
    check(slices().matching(Layout.ROOT + ".(**)").should().beFreeOfCycles());
  }

  @Test
  void netty_livesWhereSocketsAre() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(absolute(union(Layout.NETTY, Layout.UNBOUND)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.."));
  }

  @Test
  void nettysHttpCodec_isOnlyBehindTheAdminListener() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(absolute(union(Set.of("net"), Layout.UNBOUND)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.handler.codec.http.."));
  }

  @Test
  void stages_doNotReachTheMachines() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(absolute(Layout.STAGES))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(absolute(Set.of("governor", "config", "observe", "net", "admin"))));
  }

  @Test
  void config_isKnownOnlyToTheProgram() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(absolute(union(Set.of("config"), Layout.UNBOUND)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(Layout.ROOT + ".config"));
  }

  @Test
  void fixture_isKnownOnlyToTheProgram() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(absolute(Layout.UNBOUND))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(Layout.ROOT + ".fixture.."));
  }

  @Test
  void clocks_areReadOnlyInTime() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(absolute(Set.of("time", "")))
            .should()
            .accessTargetWhere(target(isOneOf(CLOCKS))));
  }

  @Test
  void tests_neverSleep() {
    ArchRule rule =
        noClasses()
            .should()
            .accessTargetWhere(
                target(
                    isOneOf(
                        Set.of("java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep"))));
    rule.allowEmptyShould(true).check(TESTS);
  }

  @Test
  void timer_isAnInterfaceThatOnlyNetImplements() {
    JavaClass timer = ENGINE.get(Layout.ROOT + ".time.Timer");

    assertThat(INTERFACES.test(timer)).isTrue();
    assertThat(timer.getAllSubclasses().stream().filter(type -> !type.isInterface()))
        .allMatch(type -> Set.of("net", "").contains(relative(type)));
  }

  @Test
  void packages_areNullMarked() {
    Stream<JavaPackage> unmarked =
        ENGINE.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(owner -> !owner.isAnnotatedWith(NullMarked.class));

    assertThat(unmarked.map(JavaPackage::getName)).isEmpty();
  }

  @Test
  void names_areNotVague() {
    assertThat(ENGINE.stream().filter(type -> type.getSimpleName().matches(VAGUE))).isEmpty();
  }

  @Test
  void classes_areFinal() {
    Stream<JavaClass> open =
        ENGINE.stream()
            .filter(type -> !type.isInterface() && !type.isEnum() && !type.isAnonymousClass())
            .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
            .filter(type -> type.getRawSuperclass().filter(JavaClass::isEnum).isEmpty());

    assertThat(open.map(JavaClass::getName)).isEmpty();
  }

  /** Judged once the program is there: it wires the parts, and before it users are missing. */
  @Test
  void public_isTheException() {
    if (ENGINE.contain(Layout.ROOT + ".Sluice")) {
      assertThat(PublicTypes.of(ENGINE).needless()).isEmpty();
    }
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(ENGINE);
  }

  private static Stream<String> strayDependencies(JavaClass origin) {
    String from = relative(origin);
    Layout.Row row = Layout.table().get(from);
    if (row == null) {
      return Stream.empty();
    }
    return origin.getDirectDependenciesFromSelf().stream()
        .filter(dependency -> !isAllowed(from, row, dependency.getTargetClass()))
        .map(Dependency::getDescription);
  }

  private static boolean isAllowed(String from, Layout.Row row, JavaClass target) {
    JavaClass type = target.getBaseComponentType();
    if (type.isPrimitive()) {
      return true;
    }
    if (!isOurs(type)) {
      return row.allowsLibrary(type.getName());
    }
    return relative(type).equals(from) || row.packages().contains(relative(type));
  }

  private static boolean isOurs(JavaClass type) {
    return type.getName().startsWith(Layout.ROOT + ".");
  }

  private static boolean isUnbound(String name) {
    return Layout.UNBOUND.contains(name);
  }

  private static String relative(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(Layout.ROOT) ? "" : name.substring(Layout.ROOT.length() + 1);
  }

  private static String[] absolute(Collection<String> names) {
    return names.stream()
        .map(name -> name.isEmpty() ? Layout.ROOT : Layout.ROOT + "." + name)
        .toArray(String[]::new);
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
  }

  private static DescribedPredicate<AccessTarget> isOneOf(Set<String> calls) {
    return DescribedPredicate.describe(
        "one of " + calls,
        target -> calls.contains(target.getOwner().getName() + "." + target.getName()));
  }
}
