#pragma once
#include <json-c/json.h>
#include <json-c/json_tokener.h>
#include <json-c/printbuf.h>
