/**
 * Reads and assembles settings. Start with {@code SettingsReader}. It depends on the packages that
 * own a settings record; nothing but the root depends on it.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;
