#include "experiments/commands/text_table.hpp"

#include <catch2/catch_test_macros.hpp>

using kvarium::TextTable;

TEST_CASE("columns are as wide as their widest cell in characters", "[experiments][commands]") {
  TextTable table({"name", "value"});
  table.add({"\xc3\xa4\xc3\xb6", "1"});
  table.add({"longer name", "23"});
  CHECK(table.text() ==
        "name         value\n"
        "-----------  -----\n"
        "\xc3\xa4\xc3\xb6           1\n"
        "longer name  23\n");
}
